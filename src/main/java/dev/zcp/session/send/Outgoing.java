package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.exchange.SentEntry;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.spi.Source;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.tree.DataExtents;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// An entry on its way: what is offered of it, what its bytes are read from, and what becomes of it
/// here. Any thread may call it.
final class Outgoing extends SentEntry {

  /// What is told of one file; holes after these go as zeros.
  private static final int HOLES_MAX = 4096;

  /// What is read of a hole at a time.
  private static final int STEP_BYTES = 256 << 10;

  /// Of `st_blocks`: stat(2).
  private static final int BLOCK_BYTES = 512;

  /// For operands that nothing hangs on. Not in the interface: no AOT cache holds a lambda of one
  /// that has to be initialized, and making it costs each process 4 ms.
  static final Aftermath NO_AFTERMATH = (entry, well) -> {};

  /// What is done when an entry was sent, and when it is over.
  interface Aftermath {

    void over(Outgoing entry, boolean well);

    /// Comes once: when the entry was sent, or after [#over] if it never was.
    default void sent() {}
  }

  private final Insight insight;
  private final Origin origin;
  private final FileStatus status;
  private final boolean keepsHoles;
  private final Outgoing directory;
  private final Aftermath aftermath;

  /// Whether it was offered before, and had changed.
  final boolean isSecondTry;

  /// Whether [#sent] was called, for this or for what was offered [anew][#anew] in its place.
  private final AtomicBoolean isSent;

  /// Whether it is over, and the receiver does not have it.
  volatile boolean isRefused;

  /// Whether it was offered and is not over. Written by [UnderWay].
  volatile boolean isUnderWay;

  // All below is guarded by this.
  private FileLog log;
  private Failure failure;
  private boolean hasChanged;
  private boolean needsNoBytes;
  private long bytesBelieved;
  private ChunkSums sums;

  /// @param insight is told of it
  /// @param status what the source is; null for standard input
  /// @param draft what is offered, with any id
  /// @param keepsHoles whether its holes are to be kept
  /// @param directory that it is in, or null if that is not sent
  Outgoing(
      Insight insight,
      Origin origin,
      FileStatus status,
      Offered draft,
      boolean keepsHoles,
      Outgoing directory,
      Aftermath aftermath) {
    super(draft, directory);
    this.insight = insight;
    this.origin = origin;
    this.status = status;
    this.keepsHoles = keepsHoles;
    this.directory = directory;
    this.aftermath = aftermath;
    this.isSecondTry = false;
    this.isSent = new AtomicBoolean();
  }

  /// The same entry as it is now.
  private Outgoing(Outgoing before, FileStatus now) {
    super(Drafts.anew(before.offered(), now), before.directory);
    this.insight = before.insight;
    this.origin = before.origin;
    this.status = now;
    this.keepsHoles = before.keepsHoles;
    this.directory = before.directory;
    this.aftermath = before.aftermath;
    this.isSecondTry = true;
    this.isSent = before.isSent;
    this.log = before.logOrNull();
  }

  List<GivenAttribute> given() {
    List<ExtendedAttribute> attributes = offered().metadata().attributes();
    if (attributes.isEmpty()) {
      return List.of();
    }
    List<GivenAttribute> given = new ArrayList<>();
    for (ExtendedAttribute each : attributes) {
      given.add(new GivenAttribute(each.name().bytes(), each.value().bytes()));
    }
    return given;
  }

  EntryPath path() {
    return offered().path();
  }

  /// Of a regular file; [Offered#SIZE_UNKNOWN] of a stream, else 0.
  long size() {
    return offered().size();
  }

  /// The file's own log; of what is no file, only if it failed.
  synchronized FileLog log() {
    if (log == null) {
      log = insight.begin(label(), path(), size(), Stage.SEND);
    }
    return log;
  }

  private synchronized FileLog logOrNull() {
    return log;
  }

  /// Its name for messages, put together only if it is shown.
  Object label() {
    return origin.label();
  }

  /// Opens it to read from, for the caller to close: a file, which can be read at any place by
  /// several threads, or a stream.
  ///
  /// @throws Failure SOURCE if it is missing, is another file than the one that was offered, or may
  ///   not be read
  Source open() throws Failure {
    long startedNs = System.nanoTime();
    Source source = origin.open(status);
    log().sample(Stage.OPEN, System.nanoTime() - startedNs);
    return source;
  }

  /// Why it cannot be sent, if that shows at this end. The first one counts.
  synchronized void fail(Failure cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /// Another process writes to the source: it may be offered again.
  synchronized void change(Failure cause) {
    hasChanged |= failure == null;
    fail(cause);
  }

  synchronized Failure failure() {
    return failure;
  }

  /// Whether that is because the source has changed.
  synchronized boolean hasChanged() {
    return hasChanged;
  }

  /// The receiver has another version of it, and is told of its chunks.
  synchronized void cut(ChunkSums found) {
    sums = found;
  }

  /// What was found of its chunks. Null if it was not cut; else some of what the receiver holds may
  /// be of another version.
  synchronized ChunkSums sums() {
    return sums;
  }

  /// So many bytes that the receiver holds count as the source's, which were not read for that.
  synchronized void believe(long bytes) {
    bytesBelieved = bytes;
  }

  synchronized long bytesBelieved() {
    return bytesBelieved;
  }

  /// Every byte of it is there, or none of it is wanted any more.
  synchronized void needNoBytes() {
    needsNoBytes = true;
  }

  synchronized boolean needsNoBytes() {
    return needsNoBytes || failure != null;
  }

  /// Whether its name still leads to the same file, and nobody wrote to that since it was looked
  /// at. Streams cannot tell and count as unchanged; a name that leads nowhere any more, or where
  /// nobody may look any more, has changed.
  boolean isUnchanged() {
    try {
      return isStream() || origin.look().isUnchangedSince(status);
    } catch (Failure e) {
      // See above.
      return false;
    }
  }

  Failure changed() {
    return changed(label());
  }

  static Failure changed(Object label) {
    return changed(label, "changed while it was read");
  }

  static Failure ended(Object label, long atBytes) {
    return changed(label, "ended while it was read, at " + atBytes + " bytes");
  }

  private static Failure changed(Object label, String what) {
    return Failure.of(ExitCode.SOURCE, label.toString(), what)
        .with("nothing was published, run the same command again");
  }

  /// The holes in a file that is sparse and whose holes are to be kept, in ascending order: the
  /// first [#HOLES_MAX] of them.
  ///
  /// @param areRead whether only those are told that read as zeros; asked if there are any. A file
  ///   system may call data a hole (openzfs issue 15526)
  /// @throws Failure as [#open]
  List<Span> findHoles(BooleanSupplier areRead) throws Failure {
    boolean mayHave =
        keepsHoles && size() > 0 && status.blocks() >= 0 && status.blocks() < size() / BLOCK_BYTES;
    if (!mayHave) {
      return List.of();
    }
    try (Source source = origin.open(status)) {
      List<Span> holes = source instanceof NativeFile file ? holes(file) : List.of();
      return holes.isEmpty() || !areRead.getAsBoolean() ? holes : zeros((NativeFile) source, holes);
    } catch (IOException e) {
      throw Reasons.source(label(), e);
    }
  }

  private static List<Span> zeros(NativeFile file, List<Span> holes) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(STEP_BYTES);
    ByteBuffer zeros = ByteBuffer.allocateDirect(STEP_BYTES);
    List<Span> read = new ArrayList<>();
    for (Span hole : holes) {
      Span rest = hole;
      int count = 1;
      while (!rest.isEmpty() && count > 0) {
        bytes.clear().limit((int) Math.min(STEP_BYTES, rest.length()));
        count = file.read(bytes, rest.offset());
        boolean areZeros = count > 0 && bytes.flip().equals(zeros.clear().limit(count));
        rest = areZeros ? rest.skip(count) : rest;
        count = areZeros ? count : 0;
      }
      if (rest.isEmpty()) {
        read.add(hole);
      }
    }
    return read;
  }

  private List<Span> holes(NativeFile file) {
    List<Span> holes = new ArrayList<>();
    DataExtents extents = new DataExtents(file, size());
    long end = 0;
    for (Span data = extents.next(); data != null; data = extents.next()) {
      if (data.offset() > end) {
        holes.add(new Span(end, data.offset() - end));
      }
      if (holes.size() == HOLES_MAX) {
        return holes;
      }
      end = data.end();
    }
    if (end < size()) {
      holes.add(new Span(end, size() - end));
    }
    return holes;
  }

  /// The same entry as it is now, to be offered anew in place of this one, which is not told to be
  /// over then.
  ///
  /// @throws Failure SOURCE if it is missing, or no regular file any more
  Outgoing anew() throws Failure {
    FileStatus now = origin.look();
    if (now == null || !now.isRegular() || !isFile()) {
      throw Failure.of(ExitCode.SOURCE, label().toString(), "is not a regular file any more");
    }
    return new Outgoing(this, now);
  }

  /// Whether it may be offered [anew][#anew]. Once it was sent, the directory that it is in may
  /// have been ended, and the receiver takes nothing new there.
  boolean mayComeAnew() {
    return directory == null || directory.path().isTop() || !isSent.get();
  }

  /// Whether a directory that it is in was not taken: that was told, and this need not be.
  boolean isBelowRefused() {
    Outgoing above = directory;
    while (above != null && !above.isRefused) {
      above = above.directory;
    }
    return above != null;
  }

  /// All of it was sent: the directory that it is in need not wait for it any more. It may be sent
  /// again. Not to be called while something is held that [Outlet#ended] takes.
  void sent() {
    if (isSent.compareAndSet(false, true)) {
      aftermath.sent();
    }
  }

  /// The entry is over, in whatever way. To be called once for each that was offered, and not while
  /// something is held that [Outlet#ended] takes.
  ///
  /// @param well whether the receiver has it
  void over(boolean well) {
    isRefused = !well;
    aftermath.over(this, well);
    sent();
  }
}

package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.exchange.FileHash;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.FileSteps;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.session.Checksum;
import dev.zcp.tree.AttributeCapture;
import dev.zcp.walk.Entry;
import dev.zcp.wire.Digest;
import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.Wants.Want;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// Sends parts over one connection: each file is read whole into one buffer, which goes out by one
/// call. And asks what of a part is wanted.
///
/// Used by one thread.
final class PartSender {

  // As the report tells them.
  private static final String PROOF =
      "CRC32C of each small file, in the buffer that it was sent from";
  private static final String PROOF_TOGETHER =
      "SHA-256 of small files together, in the buffer that they were sent from";

  /// Up to this size a file goes in a part: to send its block, trailer and end costs more than to
  /// copy its bytes once.
  static final int FILE_BYTES_MAX = 256 << 10;

  /// What a part holds: enough that frames cost nothing, so little that the receiver writes while
  /// the next one is read.
  static final int BYTES_MAX = 1 << 20;

  private final SendingSession session;
  private final Insight insight;
  private final int number;
  private final Connection connection;
  private final RateLimit rate;
  private final CompressedOutput output;
  private final PartBuilder builder = new PartBuilder();
  private final FileHash hash = new FileHash();
  private final Crc32c crc = new Crc32c();
  private final long[] endsNs = new long[FileSteps.COUNT];

  /// Null until there is a part.
  private ByteBuffer bytes;

  private AttributeCapture capture;

  PartSender(SendingSession session, int number, Connection connection, CompressedOutput output) {
    this.session = session;
    this.insight = session.insight();
    this.number = number;
    this.connection = connection;
    this.rate = session.terms().rate();
    this.output = output;
  }

  /// Asks what is wanted of a part.
  ///
  /// @throws IOException if the connection failed
  void look(OutgoingPart part) throws IOException {
    builder.clear();
    HeldRun held = new HeldRun(part);
    int kept = 0;
    for (int i = 0; i < part.count; i++) {
      if (part.runs[i].isVain()) {
        leave(part, i);
        continue;
      }
      held.goTo(i);
      part.move(i, kept);
      begin(part, kept);
      part.hasMore[kept] =
          held.failure != null || part.visitor.mayKeepMore(part.entries[kept], part.statuses[kept]);
      builder.names(part.hasMore[kept]);
      builder.addToLook(
          part.runs[kept].directoryId(),
          part.entries[kept].newName(),
          (int) part.statuses[kept].sizeBytes());
      kept++;
    }
    held.release();
    part.cut(kept);
    if (kept == 0) {
      over(part);
      return;
    }
    long number = session.end().looking(this.number, part, kept);
    if (number >= 0) {
      connection.put(builder.buildLook(number));
    }
  }

  private void over(OutgoingPart part) {
    part.sent();
    session.partOver(part);
  }

  /// A file leaves the part, and will not be there.
  private static void leave(OutgoingPart part, int index) {
    part.visitor.over(part.entries[index], part.statuses[index], false, 0);
  }

  /// @throws IOException if the connection failed
  void send(OutgoingPart part) throws IOException {
    long beganNs = System.nanoTime();
    if (bytes == null) {
      bytes = ByteBuffer.allocateDirect(BYTES_MAX);
      capture = part.visitor.capture();
    }
    bytes.clear();
    builder.clear();
    boolean isRepeated = part.wasSaid();
    if (isRepeated) {
      readAgain(part);
    } else {
      part.begin(insight.hearsEachFile());
      read(part);
    }
    bytes.flip();
    if (part.count == 0) {
      over(part);
      return;
    }
    Digest digest = digest(part);
    ByteBuffer packed = isRepeated ? null : output.packed(bytes);
    ByteBuffer raw = packed == null ? bytes : packed;
    awaitRate(raw.remaining());
    long firstId = session.end().saying(number, part, bytes.remaining(), part.hashes, part.sizes);
    if (firstId < 0) {
      return;
    }
    int length = bytes.remaining();
    long startedNs = System.nanoTime();
    connection.sendRaw(builder.build(firstId, isRepeated, packed != null, digest), raw);
    long endedNs = System.nanoTime();
    insight.sample(Stage.SEND, endedNs - startedNs);
    output.sentPart(length, endedNs - beganNs, endedNs - startedNs, packed != null);
    int moved = 0;
    for (int i = 0; i < part.count; i++) {
      if (part.want(i) == Want.BYTES) {
        moved++;
        if (part.logs != null) {
          part.logs[i].moved(FileSteps.STRATEGY, part.sizes[i]);
        }
      }
    }
    if (part.logs == null) {
      insight.smallSent(length, moved);
    }
    // The receiver may want bytes that it was only shown: until then no directory is over.
    if (!part.isAny(Want.DIGEST)) {
      part.sent();
    }
  }

  private Digest digest(OutgoingPart part) {
    if (part.isAny(Want.BYTES) && isDigested()) {
      session.agreement().proved(isBySha256() ? PROOF_TOGETHER : PROOF);
    }
    return isBySha256() ? Checksum.sha256(bytes, insight) : Digest.NONE;
  }

  private boolean isBySha256() {
    return session.agreement().digest() == Digest.Algorithm.SHA256;
  }

  private byte[] sha256(int start, int length) {
    return Checksum.sha256(bytes.slice(start, length), insight).value().bytes();
  }

  private boolean isDigested() {
    return session.agreement().digest() != Digest.Algorithm.NONE;
  }

  /// The peer, which is to answer for the part, cannot know of it yet.
  private void awaitRate(long count) {
    for (long left = count; left > 0; left -= rate.pieceBytesMax()) {
      rate.spend(Math.min(left, rate.pieceBytesMax()), insight);
      connection.timeout().progress();
    }
  }

  /// Reads all files. Those that cannot be read whole and unchanged are told, and leave the part.
  private void read(OutgoingPart part) {
    boolean isDigested = isDigested();
    int kept = 0;
    HeldRun held = new HeldRun(part);
    for (int i = 0; i < part.count; i++) {
      OutgoingPart.FolderRun run = part.runs[i];
      if (part.want(i) == Want.KEPT) {
        session.outcomes().kept(part, i);
        continue;
      }
      if (run.isVain()) {
        leave(part, i);
        continue;
      }
      if (held.goTo(i)) {
        hash.in(run.path());
      }
      int start = bytes.position();
      try {
        if (held.failure != null) {
          throw held.failure;
        }
        boolean isRead = part.want(i) != Want.NOTHING;
        List<ExtendedAttribute> attributes = isRead ? read(part, i) : attributes(part, i);
        if (attributes == null) {
          part.leaveLog(i);
          continue;
        }
        if (!builder.hasRoomFor(part.entries[i].newName().length, attributes)) {
          bytes.position(start);
          part.leaveLog(i);
          session.queueNext(part.split(i));
          break;
        }
        part.move(i, kept);
        int size = isRead ? bytes.position() - start : (int) part.statuses[kept].sizeBytes();
        part.sizes[kept] = size;
        boolean isSummed = isRead && (isDigested || part.want(kept) == Want.DIGEST);
        part.crcs[kept] = isSummed ? crc32c(start, size) : 0;
        byte[] name = part.entries[kept].newName();
        part.hashes[kept] = hash.of(name, size, isDigested ? part.crcs[kept] : 0);
        add(part, kept, start, attributes);
        kept++;
      } catch (Failure failure) {
        bytes.position(start);
        if (failure.exitCode() == ExitCode.VANISHED) {
          part.leaveLog(i);
          offerAlone(part, i);
        } else {
          fail(part, i, failure);
        }
      }
    }
    held.release();
    part.cut(kept);
  }

  /// Adds a file, as far as it is wanted, whose bytes are in the buffer from `start` on.
  private void add(OutgoingPart part, int index, int start, List<ExtendedAttribute> attributes) {
    begin(part, index);
    long directoryId = part.runs[index].directoryId();
    byte[] name = part.entries[index].newName();
    int size = part.sizes[index];
    int crc32c = part.crcs[index];
    switch (part.want(index)) {
      case BYTES -> builder.add(directoryId, name, size, crc32c, attributes);
      case DIGEST -> {
        byte[] sha256 = isBySha256() ? sha256(start, size) : null;
        bytes.position(start);
        session.agreement().provedThere();
        builder.addShown(directoryId, name, size, crc32c, sha256, attributes);
      }
      case NOTHING -> builder.addBare(directoryId, name, size, crc32c, attributes);
      case KEPT -> throw new IllegalStateException("it is over");
    }
  }

  /// Adds a file whose bytes are not there any more.
  private void addAbsent(OutgoingPart part, int index) {
    begin(part, index);
    builder.addBare(
        part.runs[index].directoryId(),
        part.entries[index].newName(),
        part.sizes[index],
        part.crcs[index],
        List.of());
  }

  private void begin(OutgoingPart part, int index) {
    FileStatus status = part.statuses[index];
    builder.owner(status.wholeMode(), status.owner(), status.group());
    builder.times(
        status.modifiedSeconds(),
        status.modifiedNanos(),
        status.accessedSeconds(),
        status.accessedNanos());
    builder.names(part.visitor.mayGetNames(status));
  }

  private int crc32c(int start, int length) {
    int limit = bytes.limit();
    bytes.limit(start + length).position(start);
    crc.reset();
    crc.update(bytes);
    bytes.limit(limit);
    return crc.value();
  }

  /// Reads the files of a part that was said before. What is not as it was then cannot be sent, and
  /// the receiver may have it.
  private void readAgain(OutgoingPart part) {
    HeldRun held = new HeldRun(part);
    for (int i = 0; i < part.count; i++) {
      held.goTo(i);
      int start = bytes.position();
      List<ExtendedAttribute> attributes = held.failure == null ? attributesAgain(part, i) : null;
      if (attributes == null || !builder.hasRoomFor(part.entries[i].newName().length, attributes)) {
        bytes.position(start);
        addAbsent(part, i);
      } else {
        add(part, i, start, attributes);
      }
    }
    held.release();
  }

  /// Reads a file as it was read before, if it is wanted.
  ///
  /// @return null if it is another one by now
  private List<ExtendedAttribute> attributesAgain(OutgoingPart part, int index) {
    Entry entry = part.entries[index];
    int start = bytes.position();
    int size = part.sizes[index];
    try {
      if (part.want(index) == Want.NOTHING) {
        return attributes(part, index);
      }
      try (NativeFile file = open(entry)) {
        boolean isThere = fill(file, size) == size;
        boolean isSame = isThere && (!isDigested() || crc32c(start, size) == part.crcs[index]);
        return isSame ? attributes(part, file, entry) : null;
      }
    } catch (IOException | Failure e) {
      // It went, or may not be read any more: as if it were another one.
      return null;
    }
  }

  /// The attributes of a file of which nothing is wanted.
  private List<ExtendedAttribute> attributes(OutgoingPart part, int index) throws Failure {
    Entry entry = part.entries[index];
    try {
      return part.visitor.attributes(capture, entry, part.statuses[index]);
    } catch (IOException e) {
      throw entry.failure(e);
    }
  }

  /// The folder whose files are read: one of a part after the other.
  private static final class HeldRun {

    private final OutgoingPart part;
    private OutgoingPart.FolderRun run;

    /// Why it cannot be read, or null.
    private Failure failure;

    HeldRun(OutgoingPart part) {
      this.part = part;
    }

    /// Holds the folder of a file.
    ///
    /// @return whether it is another one than before
    boolean goTo(int index) {
      if (part.runs[index] == run) {
        return false;
      }
      release();
      run = part.runs[index];
      failure = null;
      try {
        part.visitor.folders().hold(run.folder());
      } catch (Failure e) {
        failure = e;
      }
      return true;
    }

    void release() {
      if (run != null && failure == null) {
        part.visitor.folders().release(run.folder());
      }
    }
  }

  private static NativeFile open(Entry entry) throws IOException {
    return entry.folder().source().file(entry.name(), entry.follow());
  }

  /// Reads a file behind what is in the buffer, once more if it changes meanwhile.
  ///
  /// @return its attributes; null if it has grown, so that the part may have no room, and it goes
  ///   another way
  private List<ExtendedAttribute> read(OutgoingPart part, int index) throws Failure {
    Entry entry = part.entries[index];
    int start = bytes.position();
    FileStatus known = part.statuses[index];
    if (part.logs != null) {
      part.logs[index] = insight.begin(entry, part.pathOf(index), known.sizeBytes(), Stage.SEND);
    }
    for (boolean isAgain = false; ; isAgain = true) {
      endsNs[FileSteps.BEGUN] = System.nanoTime();
      try (NativeFile file = open(entry)) {
        endsNs[FileSteps.OPENED] = System.nanoTime();
        known = isAgain ? file.status() : known;
        if (!known.isRegular()) {
          throw Failure.of(ExitCode.SOURCE, entry.toString(), "is not a regular file any more");
        }
        if (known.sizeBytes() > part.statuses[index].sizeBytes()) {
          part.visitor.grown(entry, known);
          return null;
        }
        int count = fill(file, (int) known.sizeBytes());
        endsNs[FileSteps.READ] = System.nanoTime();
        List<ExtendedAttribute> attributes = attributes(part, file, entry);
        boolean isAll = count == known.sizeBytes();
        if (isAll && (file.isUnchangedSince(known) || session.outcomes().accepts(entry))) {
          part.statuses[index] = known;
          part.beganNs[index] = endsNs[FileSteps.BEGUN];
          book(part, index, count);
          return attributes;
        }
        if (isAgain || session.outcomes().failsIfChanged()) {
          throw isAll ? Outgoing.changed(entry) : Outgoing.ended(entry, count);
        }
        bytes.position(start);
      } catch (IOException e) {
        throw entry.failure(e);
      }
    }
  }

  private void book(OutgoingPart part, int index, int count) {
    if (part.logs == null) {
      insight.smallRead(endsNs, count, part.entries[index], part.pathOf(index));
    } else {
      FileLog log = part.logs[index];
      log.sample(Stage.OPEN, endsNs[FileSteps.OPENED] - endsNs[FileSteps.BEGUN]);
      log.read(0, count, endsNs[FileSteps.READ] - endsNs[FileSteps.OPENED]);
    }
  }

  /// Reads up to `size` bytes behind those that are there.
  ///
  /// @return how many there were
  private int fill(NativeFile file, int size) throws IOException {
    int start = bytes.position();
    bytes.limit(start + size);
    try {
      int count = 1;
      while (bytes.hasRemaining() && count > 0) {
        count = file.read(bytes, bytes.position() - start);
      }
      return bytes.position() - start;
    } finally {
      bytes.limit(bytes.capacity());
    }
  }

  private List<ExtendedAttribute> attributes(OutgoingPart part, NativeFile file, Entry entry) {
    return capture.isNeeded() ? part.visitor.attributes(capture, file, entry) : List.of();
  }

  /// What vanished is told by its name, or the receiver would take what has it there for surplus: a
  /// file system may say so of something that is there.
  private void offerAlone(OutgoingPart part, int index) {
    OutgoingPart alone = new OutgoingPart(part.visitor);
    alone.add(part.entries[index], part.statuses[index], part.runs[index].directory());
    session.offerAlone(alone);
  }

  private void fail(OutgoingPart part, int index, Failure failure) {
    session.end().note(failure.exitCode(), failure.getMessage());
    part.log(index, insight).failed(failure);
    leave(part, index);
  }
}

package dev.zcp.exchange;

import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// An entry as its sender knows it, from before its offer until it is over. Whoever has the source
/// extends this by what it knows of that.
///
/// What is not final belongs to the [SendingEnd].
public abstract class SentEntry {

  enum SentStage {
    /// From the start, or OFFERED if the connection was lost. To OFFERED.
    QUEUED,
    /// From QUEUED. By the answer to CUTTING, CLAIMED, SHOWN or TAKEN.
    OFFERED,
    /// The receiver has another version. Until it was told of all chunks. To REBUILDING, or to
    /// QUEUED if the connection was lost.
    CUTTING,
    /// Until the receiver has taken from what it has what it can. As OFFERED, but not to CUTTING.
    REBUILDING,
    /// Until it is known which of the bytes that the receiver holds are the source's. To TAKEN.
    CLAIMED,
    /// The receiver has a whole file. Until it is known what the source's bytes are, and then until
    /// the receiver has compared. To TAKEN if they differ.
    SHOWN,
    /// Its bytes are queued or under way; of a directory, all in it. To ARRIVED or ENDING.
    TAKEN,
    /// All its bytes were acknowledged. To ENDING.
    ARRIVED,
    /// Its end is queued or under way.
    ENDING
  }

  /// With an id that counts for nothing before it is offered.
  private volatile Offered offered;

  /// The directory that it is in; null if that is not sent.
  final SentEntry above;

  SentStage stage = SentStage.QUEUED;

  /// The connection that the answer is due on, to its offer, its chunks, or of a directory to its
  /// end; or -1.
  int askedOn = -1;

  /// Of a directory that was answered: whether the receiver has made it.
  boolean isNew;

  /// Whether it counts for [dev.zcp.wire.Accept#filesMax].
  boolean isCounted;

  /// What is to be told of its end, once it may be; null if that is not known.
  Status ending;

  /// Whether the user was, or need not be, told that it failed.
  boolean failureIsKnown;

  List<Span> holes = List.of();
  List<Held> held = List.of();

  /// What it is, if the receiver has a whole file and that is known; else null.
  Show shown;

  /// Whether what the receiver has is not what was shown.
  boolean isWanted;

  /// By their offsets. Made when it is needed: of directories it never is.
  private NavigableMap<Long, UnsentSpan> toSend = Collections.emptyNavigableMap();

  final Coverage arrived = new Coverage();

  /// Units and turns that it is in.
  int underWay;

  long resumedBytes;

  /// Whether some of the bytes that the receiver holds are taken for the source's unread.
  boolean isBelieved;

  boolean isOver;

  /// The connection that a stream is on, or -1.
  int streamOn = -1;

  /// @param draft what is offered, with any id
  /// @param above the directory that it is in; null if that is not sent
  protected SentEntry(Offered draft, SentEntry above) {
    this.offered = draft;
    this.above = above;
  }

  /// The entry as the receiver gets to know it. To be called once, by whoever offers it.
  public final Offered offered(long fileId) {
    offered = offered.withId(fileId);
    return offered;
  }

  public final Offered offered() {
    return offered;
  }

  public final long fileId() {
    return offered.fileId();
  }

  public final EntryKind kind() {
    return offered.kind();
  }

  public final boolean isFile() {
    return kind() == EntryKind.FILE;
  }

  public final boolean isDirectory() {
    return kind().isDirectory();
  }

  /// Of a directory that is over: whether the receiver has made it for this session, and none of
  /// its former copies has it.
  public final boolean isNew() {
    return isNew;
  }

  /// Whether its length is not known before its bytes are.
  public final boolean isStream() {
    return !offered.hasSize();
  }

  /// Those that it was offered with.
  public final List<Span> holes() {
    return holes;
  }

  /// How long it is once all of it has arrived.
  long finalSize() {
    return isStream() ? arrived.end() : offered.size();
  }

  /// Of all its bytes; 0 if nobody wants to know.
  int finalCrc32c(Level level) {
    return level == Level.NONE || !isFile() ? 0 : arrived.crc32c();
  }

  /// Whether it is over, and well, if nothing fails on the way or at the receiver. The caller must
  /// know that nothing of it is queued.
  boolean isSent() {
    return stage == SentStage.ENDING ? ending == Status.OK : shown != null;
  }

  /// All its bytes are taken for arrived, until the receiver wants them.
  void show(Show what) {
    shown = what;
    isWanted = false;
    resumedBytes = offered.size();
    if (offered.size() > 0) {
      arrived.hold(new Held(new Span(0, offered.size()), what.crc32c()));
    }
  }

  void showInVain() {
    shown = null;
    resumedBytes = 0;
    arrived.drop(new Span(0, offered.size()));
  }

  /// Whether the receiver has not said yet what it wants of it, though it was offered.
  boolean isAnswerDue() {
    return stage == SentStage.OFFERED
        || stage == SentStage.CUTTING
        || stage == SentStage.REBUILDING;
  }

  /// Whether it is over, or its end is known already.
  boolean isGivenUp() {
    return isOver || ending != null || stage == SentStage.ENDING;
  }

  /// Whether all that there was to send was acknowledged.
  boolean hasAllArrived() {
    return toSend.isEmpty() && underWay == 0;
  }

  /// Queues all bytes but those that were claimed and are good.
  void fill(List<Held> good) {
    long position = 0;
    for (Held each : good) {
      fill(position, each.span().offset());
      position = each.span().end();
      arrived.hold(each);
      resumedBytes += each.span().length();
    }
    fill(position, offered.size());
  }

  private void fill(long start, long end) {
    long position = start;
    for (Span hole : holes) {
      long holeStart = Math.max(position, hole.offset());
      long holeEnd = Math.min(end, hole.end());
      if (holeStart < holeEnd) {
        put(position, holeStart, false);
        put(holeStart, holeEnd, true);
        position = holeEnd;
      }
    }
    put(position, end, false);
  }

  private void put(long start, long end, boolean isHole) {
    if (start < end) {
      queue(UnsentSpan.fresh(new Span(start, end - start), isHole));
    }
  }

  /// These bytes are to be sent, or to be sent once more.
  void queue(UnsentSpan unsent) {
    toSend = toSend.isEmpty() ? new TreeMap<>() : toSend;
    toSend.put(unsent.span().offset(), unsent);
  }

  boolean hasBytesToSend() {
    return !toSend.isEmpty();
  }

  void sendNoMore() {
    toSend = Collections.emptyNavigableMap();
  }

  /// Takes the first part that is to be sent, or as much of it as `blockBytesMax` and the wire
  /// allow.
  UnsentSpan take(long blockBytesMax) {
    UnsentSpan unsent = toSend.pollFirstEntry().getValue();
    long length = nextBytes(unsent, blockBytesMax);
    if (length == unsent.span().length()) {
      return unsent;
    }
    Span rest = unsent.span().skip(length);
    queue(UnsentSpan.fresh(rest, unsent.isHole()));
    return UnsentSpan.fresh(unsent.span().first(length), unsent.isHole());
  }

  /// How many raw bytes the next part would have; 0 for a hole.
  long nextRawBytes(long blockBytesMax) {
    Map.Entry<Long, UnsentSpan> first = toSend.firstEntry();
    return first.getValue().isHole() ? 0 : nextBytes(first.getValue(), blockBytesMax);
  }

  private static long nextBytes(UnsentSpan unsent, long blockBytesMax) {
    long bytesMax = unsent.isHole() ? Limits.DATA_BYTES_MAX : blockBytesMax;
    return unsent.wasSent() ? unsent.span().length() : Math.min(unsent.span().length(), bytesMax);
  }

  /// Bytes of a file that are still to be sent.
  ///
  /// @param isHole whether the source keeps no room for them
  /// @param wasSent whether they went out before, as this very span: a receiver that has them
  ///   already must be able to tell, so they go out again neither cut nor joined
  /// @param tries how often they arrived damaged
  record UnsentSpan(Span span, boolean isHole, boolean wasSent, int tries) {

    static UnsentSpan fresh(Span span, boolean isHole) {
      return new UnsentSpan(span, isHole, false, 0);
    }

    UnsentSpan again() {
      return new UnsentSpan(span, isHole, true, tries);
    }

    UnsentSpan afterDamage() {
      return new UnsentSpan(span, isHole, true, tries + 1);
    }
  }
}

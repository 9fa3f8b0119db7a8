package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// An entry that was offered and is not over: what was answered, what came of it, and, of a file,
/// where its bytes come down. Its lock is the only one of all that; the [Landing] has none of its
/// own.
///
/// Threads that work on it [enter][#enter] and [leave][#leave]; what ends it happens when the last
/// of them is out.
final class IncomingEntry {

  /// How many blocks may be damaged at a time: a sender has no more under way on a connection.
  private static final int DAMAGED_MAX = Limits.UNITS_UNDER_WAY_MAX;

  private final Offered offered;

  // All below is guarded by this.
  private FileLog log;
  private Answer answer;
  private Landing landing;

  /// What was told of its chunks and is not taken yet; null if nothing was told.
  private ArrayDeque<Chunks> chunks;

  /// Whether a worker takes them, and is to look for more when it is done.
  private boolean isRebuilding;

  private boolean rebuildsOn;
  private boolean isRebuilt;
  private long bytesArrived;

  /// How many bytes count for what the user allows; -1 if the entry does not.
  private long bytesCounted = -1;

  private int inside;

  /// How often bytes arrived damaged and did not arrive well since, by their offsets. Empty before.
  private Map<Long, Integer> damaged = Map.of();

  private boolean toldDamage;

  /// Why it cannot be made; or a directory that it is in. Null if nothing keeps it.
  private Failure refusal;

  /// What ends it; null while it is not over.
  private Runnable last;

  IncomingEntry(Offered offered) {
    this.offered = offered;
  }

  Offered offered() {
    return offered;
  }

  /// It cannot be made, or a directory that it is in.
  synchronized Answer refused(Failure failure) {
    String path = offered.path().toString();
    boolean isAbove = path.startsWith(failure.subject() + "/");
    refusal =
        isAbove
            ? failure
            : Failure.of(failure.exitCode(), path, failure.reason()).because(failure.getCause());
    return Answer.failed(offered.fileId(), failure);
  }

  /// @param answer that it failed
  synchronized Failure refusal(Answer answer) {
    return refusal != null
        ? refusal
        : Failure.of(answer.exitCode(), offered.path().toString(), answer.text());
  }

  /// Begins work on the entry, unless it is over.
  ///
  /// @return whether it was begun; then [#leave] is due
  synchronized boolean enter() {
    if (last != null) {
      return false;
    }
    inside++;
    return true;
  }

  void leave() {
    Runnable due;
    synchronized (this) {
      inside--;
      due = inside == 0 ? last : null;
    }
    if (due != null) {
      due.run();
    }
  }

  /// Ends it, and has `last` run by the last to leave, or right here. The first end counts.
  ///
  /// @return whether this was the first
  boolean end(Runnable last) {
    synchronized (this) {
      if (this.last != null) {
        return false;
      }
      this.last = last;
      if (inside > 0) {
        return true;
      }
    }
    last.run();
    return true;
  }

  /// The log of the file, which begins with this.
  synchronized FileLog log(Insight insight) {
    if (log == null) {
      log = insight.begin(offered.path(), offered.size(), Stage.RECEIVE);
    }
    return log;
  }

  /// Its file was offered before, and begun: the log goes on, unless there is another one already.
  synchronized void goOnWith(FileLog begun) {
    if (log == null) {
      log = begun;
    }
  }

  /// Whether something of it has begun to arrive.
  synchronized boolean isBegun() {
    return log != null;
  }

  /// What it was answered, and where its bytes come down.
  synchronized void land(Answer answer, Landing landing) {
    this.answer = answer;
    this.landing = landing;
  }

  /// What was said of it if it [lands][#land]; null if it does not, or not yet.
  synchronized Answer answer() {
    return answer;
  }

  /// Null as long as it does not [land][#land].
  synchronized Landing landing() {
    return landing;
  }

  /// Some of its chunks were told.
  synchronized void tell(Chunks more) {
    chunks = chunks == null ? new ArrayDeque<>() : chunks;
    chunks.addLast(more);
  }

  /// Those that are to be taken next; null if there are none now.
  synchronized Chunks chunks() {
    return chunks == null ? null : chunks.peekFirst();
  }

  /// Those were taken.
  synchronized void dropChunks() {
    chunks.removeFirst();
  }

  /// Forgets those that no worker has taken: the sender tells all anew.
  ///
  /// @return how many those were
  synchronized int forgetChunks() {
    int count = chunks == null ? 0 : chunks.stream().mapToInt(Chunks::count).sum();
    chunks = null;
    return count;
  }

  /// Whether the caller is to take the chunks; else another worker does, and will look for more.
  synchronized boolean beginRebuilding() {
    rebuildsOn = isRebuilding;
    isRebuilding = true;
    return !rebuildsOn;
  }

  /// Whether the worker that took chunks has to look for more.
  synchronized boolean rebuildsOn() {
    isRebuilding = rebuildsOn;
    rebuildsOn = false;
    return isRebuilding;
  }

  /// Whether bytes that were not sent may be from another version of the file.
  synchronized boolean isRebuilt() {
    return isRebuilt;
  }

  /// As [Landing#take].
  Answer take(Chunks told, Budget.Share room) throws IOException, Failure {
    Answer rebuilt = landing().take(told, room);
    synchronized (this) {
      isRebuilt |= told.count() > 0;
      answer = rebuilt == null ? answer : rebuilt;
    }
    return rebuilt;
  }

  /// As [Landing#begin].
  synchronized void begin(Span span) throws Failure {
    landing.begin(span);
  }

  /// Makes a hole, as [Landing#hole], and frees the lock while it is made: others go on meanwhile.
  void hole(Span span) throws IOException, Failure {
    Landing mine;
    synchronized (this) {
      mine = landing;
      mine.begin(span);
    }
    mine.hole(span);
    verified(span, Crc32c.ofZeros(span.length()));
  }

  /// As [Landing#verified].
  synchronized void verified(Span span, int crc32c) throws IOException {
    landing.verified(span, crc32c);
  }

  /// These bytes were written after they had been verified.
  synchronized void written(Span span, long elapsedNs) {
    if (log != null) {
      log.written(span.offset(), span.length(), elapsedNs);
    }
  }

  /// As [Landing#withKept].
  synchronized Failure withKept(Failure failure) {
    return landing.withKept(failure);
  }

  /// These bytes came in this session, and are right.
  synchronized void arrived(Span span) {
    bytesArrived += span.length();
    if (!damaged.isEmpty()) {
      damaged.remove(span.offset());
    }
  }

  /// The bytes from `offset` on arrived damaged.
  ///
  /// @return whether they are to be asked for again: not more often than a sender sends them
  synchronized boolean asksAgain(long offset) {
    damaged = damaged.isEmpty() ? new HashMap<>() : damaged;
    return damaged.merge(offset, 1, Integer::sum) < SendingEnd.TRIES_MAX
        && damaged.size() < DAMAGED_MAX;
  }

  /// Whether the user is to be told that some of it arrived damaged: once is enough.
  synchronized boolean tellsDamage() {
    boolean isFirst = !toldDamage;
    toldDamage = true;
    return isFirst;
  }

  /// @param bytes that are to come of it
  /// @return false if it counts already
  synchronized boolean count(long bytes) {
    boolean isFirst = bytesCounted < 0;
    bytesCounted = isFirst ? bytes : bytesCounted;
    return isFirst;
  }

  /// More bytes of a stream count; or less, if they must come again.
  synchronized void countMore(long bytes) {
    bytesCounted += bytes;
  }

  /// @return how many bytes counted of it, which does not count any more; -1 if it did not
  synchronized long uncount() {
    long counted = bytesCounted;
    bytesCounted = -1;
    return counted;
  }

  /// Bytes that are here from before, once it is whole.
  synchronized long bytesResumed() {
    return offered.hasSize() ? offered.size() - bytesArrived : 0;
  }
}

package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.spi.Source;
import dev.zcp.wire.EntryKind;

/// One entry that was offered and is not over, with what is known of it here. Any thread may call
/// it.
final class Sent {

  private final Outgoing outgoing;
  private final Insight insight;
  private final boolean again;

  // All below is guarded by this.
  private FileLog log;
  private Failure failure;
  private boolean changed;
  private boolean arrived;

  private long bytesBelieved;
  private ChunkSums sums;

  private Sent(Outgoing outgoing, Insight insight, FileLog log, boolean again) {
    this.outgoing = outgoing;
    this.insight = insight;
    this.log = log;
    this.again = again;
  }

  Sent(Outgoing outgoing, Insight insight) {
    this(outgoing, insight, null, false);
  }

  /// The same entry, offered once more as it is now.
  Sent again(Outgoing now) {
    return new Sent(now, insight, logOrNull(), true);
  }

  Outgoing outgoing() {
    return outgoing;
  }

  /// Whether it was offered before, and had changed.
  boolean isSecondTry() {
    return again;
  }

  EntryKind kind() {
    return outgoing.kind();
  }

  boolean isFile() {
    return kind() == EntryKind.FILE;
  }

  /// The file's own log; of what is no file, only if it failed.
  synchronized FileLog log() {
    if (log == null) {
      log = insight.begin(outgoing.label(), outgoing.path(), outgoing.size(), Stage.SEND);
    }
    return log;
  }

  Source open() throws Failure {
    long startedNs = System.nanoTime();
    Source source = outgoing.open();
    log().sample(Stage.OPEN, System.nanoTime() - startedNs);
    return source;
  }

  void done(Verified reached) {
    log().done(reached);
  }

  private synchronized FileLog logOrNull() {
    return log;
  }

  /// Why it cannot be sent, if that shows at this end. The first one counts.
  synchronized void fail(Failure cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /// Another process writes to the source: it may be offered again.
  synchronized void change(Failure cause) {
    changed |= failure == null;
    fail(cause);
  }

  synchronized Failure failure() {
    return failure;
  }

  /// Whether that is because the source has changed.
  synchronized boolean hasChanged() {
    return changed;
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

  boolean isCut() {
    return sums() != null;
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
    arrived = true;
  }

  synchronized boolean needsNoBytes() {
    return arrived || failure != null;
  }
}

package dev.zcp.insight;

import dev.zcp.core.Failure;

/// The log of one file, which books into the [Insight] that began it. Several connections may carry
/// one file, so any thread may call it.
final class BookedFile implements FileLog {

  private final Insight insight;
  private final String name;
  private final Stage stepStage;
  private final long beganNs = System.nanoTime();
  private final RanLedger ran = new RanLedger();

  /// Why the strategies that declined since the last take-over did so.
  private String declined = "";

  private long bytes;
  private boolean ended;

  BookedFile(Insight insight, String name, Stage stepStage) {
    this.insight = insight;
    this.name = name;
    this.stepStage = stepStage;
  }

  @Override
  public void moved(String strategy, long bytes, long elapsedNs) {
    insight.moved(bytes);
    insight.book(stepStage, elapsedNs);
    synchronized (this) {
      this.bytes += bytes;
      String because = ran.reasonOf(strategy);
      if (because == null) {
        because = declined;
        declined = "";
      }
      ran.add(strategy, bytes, 1, because);
    }
  }

  @Override
  public void read(long bytes, long elapsedNs) {
    insight.book(Stage.READ, elapsedNs);
  }

  @Override
  public void written(long bytes, long elapsedNs) {
    insight.book(Stage.WRITE, elapsedNs);
  }

  @Override
  public synchronized void declined(String strategy, String reason) {
    declined += (declined.isEmpty() ? "" : "; ") + strategy + ": " + reason;
  }

  @Override
  public void sample(Stage stage, long elapsedNs) {
    insight.book(stage, elapsedNs);
  }

  @Override
  public void done(Verified verified) {
    long elapsedNs = System.nanoTime() - beganNs;
    Event.FileDone event;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      event = new Event.FileDone(name, bytes, elapsedNs, ran.inOrder(), verified);
    }
    insight.book(Stage.FILE, elapsedNs);
    insight.fileDone(this, event);
  }

  @Override
  public void failed(Failure failure) {
    Event.FileFailed event = new Event.FileFailed(name, failure);
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    insight.fileFailed(this, event);
  }

  /// What moved bytes of this file so far.
  synchronized Iterable<Ran> ran() {
    return ran.inOrder();
  }
}

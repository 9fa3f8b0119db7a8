package dev.zcp.copy;

import dev.zcp.insight.Insight;
import dev.zcp.tree.Existing;
import dev.zcp.walk.Tally;

/// Counts what a tree copy has to do while it is under way, so that somebody who watches sees a
/// share and a time left: a [Tally] on a thread of its own.
final class HeadCount implements AutoCloseable {

  /// A copy that is over sooner shows no progress.
  private static final long DELAY_MS = 250;

  private final CopyRequest request;
  private final Insight insight;
  private final Tally tally;
  private final Thread thread;

  private HeadCount(CopyRequest request, Insight insight) {
    this.request = request;
    this.insight = insight;
    this.tally = new Tally(request.selection(), request.preserve().links(), 1);
    this.thread = new Thread(this::countLater, "zcp-count");
    thread.setDaemon(true);
  }

  /// A count where what is counted is what will be copied: not what a list names, and not where
  /// files of the target may be kept.
  ///
  /// @return null where nothing is to be counted
  static HeadCount of(CopyRequest request, Insight insight) {
    boolean countable =
        request.policy().existing() == Existing.REPLACE
            && request.selection().names() == null
            && !request.assurance().compareOnly()
            && !request.dryRun();
    return countable ? new HeadCount(request, insight) : null;
  }

  /// Begins to count beside the copy, unless that is over at once.
  void start() {
    thread.start();
  }

  /// Ends the count, wherever it is.
  @Override
  public void close() {
    tally.stop();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void countLater() {
    try {
      Thread.sleep(DELAY_MS);
    } catch (InterruptedException e) {
      // The copy is over.
      return;
    }
    count();
  }

  /// Counts, and tells the totals where there are some.
  void count() {
    if (tally.count(request.sources())) {
      insight.counted(tally.files(), tally.bytes());
    }
  }
}

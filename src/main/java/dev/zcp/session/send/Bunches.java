package dev.zcp.session.send;

/// Says when those who wait are woken for offers: for many at once, since each waking costs more
/// than an offer, and each frame as much; but for the first one at once, and soon for a few.
///
/// Used under the session's monitor.
final class Bunches {

  private static final int OFFERS_MIN = 64;

  /// How long after a waking an offer may wait for more.
  private static final long WAIT_NS = 1_000_000;

  private int waiting;
  private long wokenNs = System.nanoTime() - WAIT_NS;

  /// Another offer is there.
  ///
  /// @return whether to wake those who wait
  boolean isDueByOneMore() {
    waiting++;
    long nowNs = System.nanoTime();
    boolean isDue = waiting >= OFFERS_MIN || nowNs - wokenNs >= WAIT_NS;
    if (isDue) {
      wokenNs = nowNs;
    }
    return isDue;
  }

  boolean isAnyWaiting() {
    return waiting > 0;
  }

  void woken() {
    waiting = 0;
  }
}

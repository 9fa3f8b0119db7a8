package dev.zcp.session;

/// Decides whether another connection would pay: one more is tried as long as the last one made the
/// session faster, and then never again. While the processors are busy none is tried: it would only
/// take from the others.
final class Growth {

  /// How often to ask.
  static final long LOOK_NS = 500_000_000;

  /// A connection that brings less does not pay.
  static final double GAIN_MIN = 1.1;

  /// What is done sooner than this by those that are there needs no other.
  private static final double REST_SECONDS_MIN = 1;

  /// If less of the processors' time is left over, they are what limits the session: half a
  /// processor of two, which a connection keeps busy at one end.
  private static final double IDLE_MIN = 0.25;

  private static final double NS_A_SECOND = 1e9;

  private final double idleMin;
  private double bytesPerSecond;
  private long seenBytes;
  private long seenNs;
  private boolean stopped;

  /// @param isLocal whether both ends are on this machine
  /// @param nowNs when the session begins
  Growth(boolean isLocal, long nowNs) {
    this.idleMin = isLocal ? 2 * IDLE_MIN : IDLE_MIN;
    this.seenNs = nowNs;
  }

  /// Looks at the session; to be called every [#LOOK_NS].
  ///
  /// @param open how many connections there are
  /// @param openMax how many there may be
  /// @param acknowledgedBytes of the session so far
  /// @param leftBytes how many are still to go, [Long#MAX_VALUE] if nobody knows
  /// @param idleShare the part of the processors' time that was left over since the last look
  /// @return whether to open one more
  boolean wantsOneMore(
      int open, int openMax, long acknowledgedBytes, long leftBytes, double idleShare, long nowNs) {
    double now = (acknowledgedBytes - seenBytes) / Math.max(1 / NS_A_SECOND, seconds(nowNs));
    seenBytes = acknowledgedBytes;
    seenNs = nowNs;
    if (stopped || now == 0 || leftBytes / now < REST_SECONDS_MIN || idleShare < idleMin) {
      return false;
    }
    stopped = now < bytesPerSecond * GAIN_MIN || open >= openMax;
    bytesPerSecond = now;
    return !stopped;
  }

  boolean isOver() {
    return stopped;
  }

  private double seconds(long nowNs) {
    return (nowNs - seenNs) / NS_A_SECOND;
  }
}

package dev.zcp.report;

import dev.zcp.core.Rate;

/// How fast bytes went by of late: over the last ticks, so that a stall is seen soon and a single
/// slow chunk does not make the figure jump.
final class Pace {

  /// With ten ticks a second, the last three seconds.
  private static final int TICKS = 30;

  private final long[] ticksNs = new long[TICKS];
  private final long[] ticksBytes = new long[TICKS];
  private int ticks;

  void tick(long nowNs, long bytes) {
    ticksNs[ticks % TICKS] = nowNs;
    ticksBytes[ticks % TICKS] = bytes;
    ticks++;
  }

  /// From the oldest tick that is kept to the last; there must be one.
  Rate recent() {
    int last = (ticks - 1) % TICKS;
    int first = ticks <= TICKS ? 0 : ticks % TICKS;
    return new Rate(ticksBytes[last] - ticksBytes[first], ticksNs[last] - ticksNs[first]);
  }
}

package dev.zcp.tree;

import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Whether a copy has the time of its source, as exactly as its file system keeps times. Nobody
/// tells how exactly that is, so a target's time that is a multiple of one of the steps that file
/// systems count in is taken to be cut to it.
public final class TimePrecision {

  private static final long NS_PER_S = 1_000_000_000;

  /// NTFS and SMB count in 100 ns, some in microseconds or milliseconds, older ones in seconds.
  private static final long[] STEPS_NS = {1, 100, 1_000, 1_000_000, NS_PER_S};

  /// FAT counts in two seconds.
  private static final long STEP_S_MAX = 2;

  private TimePrecision() {}

  public static boolean isKept(FileTime source, FileTime target) {
    Instant from = source.toInstant();
    Instant to = target.toInstant();
    if (from.getEpochSecond() == to.getEpochSecond()) {
      for (long step : STEPS_NS) {
        boolean isCut = to.getNano() % step == 0 && from.getNano() / step == to.getNano() / step;
        if (isCut) {
          return true;
        }
      }
      return false;
    }
    return to.getNano() == 0
        && to.getEpochSecond() % STEP_S_MAX == 0
        && Math.floorDiv(from.getEpochSecond(), STEP_S_MAX) * STEP_S_MAX == to.getEpochSecond();
  }
}

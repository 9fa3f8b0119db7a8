package dev.zcp.insight;

import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import java.util.Map;
import java.util.TreeMap;

/// What the lanes have, added up. Of one thread.
final class LaneTotals {

  final RanLedger ran = new RanLedger();
  final Map<String, Long> paths = new TreeMap<>();
  int filesDone;
  int filesLost;
  long bytesMoved;
  long kept;
  long skipped;

  /// Null if no file is done.
  Verified verified;

  /// Null if nothing was made.
  private long[] made;

  /// Null if nothing was planned.
  private long[] planned;

  private long filesPlanned;
  private long bytesPlanned;

  void addMade(long[] more) {
    if (more != null) {
      made = made == null ? new long[more.length] : made;
      add(made, more);
    }
  }

  void addPlanned(long[] more, long files, long bytes) {
    if (more != null) {
      planned = planned == null ? new long[more.length] : planned;
      add(planned, more);
      filesPlanned += files;
      bytesPlanned += bytes;
    }
  }

  EntryCounts entries() {
    if (made == null) {
      return new EntryCounts(0, 0, 0, 0, kept, skipped);
    }
    return new EntryCounts(
        made[Made.DIRECTORY.ordinal()],
        made[Made.SYMLINK.ordinal()],
        made[Made.HARD_LINK.ordinal()],
        made[Made.SPECIAL.ordinal()],
        kept,
        skipped);
  }

  /// Null if nothing was planned.
  Plan plan() {
    if (planned == null) {
      return null;
    }
    return new Plan(
        filesPlanned,
        bytesPlanned,
        planned[Planned.REPLACE.ordinal()],
        new EntryCounts(
            planned[Planned.MAKE_DIRECTORY.ordinal()],
            planned[Planned.MAKE_SYMLINK.ordinal()],
            planned[Planned.MAKE_HARD_LINK.ordinal()],
            planned[Planned.MAKE_SPECIAL.ordinal()],
            planned[Planned.KEEP.ordinal()],
            planned[Planned.SKIP.ordinal()]));
  }

  private static void add(long[] sums, long[] more) {
    for (int i = 0; i < more.length; i++) {
      sums[i] += more[i];
    }
  }
}

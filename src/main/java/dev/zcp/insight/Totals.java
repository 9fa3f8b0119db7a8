package dev.zcp.insight;

import java.util.Map;
import java.util.TreeMap;

/// What the lanes have, added up. Of one thread.
final class Totals {

  final RanLedger ran = new RanLedger();
  final Map<String, Long> paths = new TreeMap<>();
  int filesDone;
  int filesLost;
  long bytesMoved;
  long kept;
  long skipped;

  /// Null where no file is done.
  Verified verified;

  /// Null where nothing was made.
  private long[] made;

  /// Null where nothing was planned.
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

  Entries entries() {
    if (made == null) {
      return new Entries(0, 0, 0, 0, kept, skipped);
    }
    return new Entries(
        made[Made.DIRECTORY.ordinal()],
        made[Made.SYMLINK.ordinal()],
        made[Made.HARD_LINK.ordinal()],
        made[Made.SPECIAL.ordinal()],
        kept,
        skipped);
  }

  /// Null where nothing was planned.
  Plan plan() {
    if (planned == null) {
      return null;
    }
    return new Plan(
        filesPlanned,
        bytesPlanned,
        planned[Planned.REPLACE.ordinal()],
        new Entries(
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

package dev.zcp.insight;

/// What the lanes have, added up. Of one thread.
final class Totals {

  final RanLedger ran = new RanLedger();
  int filesDone;
  int filesLost;
  long bytesMoved;
  long kept;
  long skipped;

  /// Null where no file is done.
  Verified verified;

  private final long[] made = new long[Made.values().length];

  /// Null where nothing was planned.
  private long[] planned;

  private long bytesPlanned;

  void addMade(long[] more) {
    add(made, more);
  }

  void addPlanned(long[] more, long bytes) {
    if (more != null) {
      planned = planned == null ? new long[more.length] : planned;
      add(planned, more);
      bytesPlanned += bytes;
    }
  }

  Entries entries() {
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
        planned[Planned.COPY.ordinal()] + planned[Planned.REPLACE.ordinal()],
        bytesPlanned,
        new Entries(
            planned[Planned.MAKE_DIRECTORY.ordinal()],
            planned[Planned.MAKE_SYMLINK.ordinal()],
            planned[Planned.MAKE_HARD_LINK.ordinal()],
            planned[Planned.MAKE_SPECIAL.ordinal()],
            planned[Planned.KEEP.ordinal()],
            planned[Planned.SKIP.ordinal()]));
  }

  private static void add(long[] sums, long[] more) {
    if (more != null) {
      for (int i = 0; i < more.length; i++) {
        sums[i] += more[i];
      }
    }
  }
}

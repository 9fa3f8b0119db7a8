package dev.zcp.bench.run;

import java.util.Arrays;

/// When a cell is warm: when its last run was not faster than [#STILL_FASTER] of the median of
/// those before it in the warm-up, or after [#RUNS_MAX] runs. So it takes two runs at least. The
/// cell's very first run is none of them: it pays for everything, and would make any second run
/// look faster.
///
/// The median, and not the best of those before: one lucky run must not end a warm-up that goes on,
/// nor one slow run prolong it for ever.
final class WarmUp {

  /// The most runs that are thrown away.
  static final int RUNS_MAX = 10;

  /// A run that takes less than this part of what was usual says that there is more to gain.
  static final double STILL_FASTER = 0.95;

  private final long[] runsNs = new long[RUNS_MAX];
  private int runs;

  /// A run took so long.
  void took(long elapsedNs) {
    runsNs[runs++] = elapsedNs;
  }

  /// How many runs it took so far.
  int runs() {
    return runs;
  }

  boolean isOver() {
    return runs == RUNS_MAX || runs > 1 && runsNs[runs - 1] >= STILL_FASTER * medianBefore();
  }

  private double medianBefore() {
    long[] before = Arrays.copyOf(runsNs, runs - 1);
    Arrays.sort(before);
    int half = before.length / 2;
    return before.length % 2 == 1 ? before[half] : (before[half - 1] + before[half]) / 2.0;
  }
}

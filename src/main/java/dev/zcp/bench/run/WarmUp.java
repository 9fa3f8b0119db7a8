package dev.zcp.bench.run;

import java.util.Arrays;

/// When a cell is warm: when [#STEADY_RUNS] runs in a row were not faster than [#STILL_FASTER] of
/// the median of those before each in the warm-up, or after [#RUNS_MAX] runs. So it takes three
/// runs at least. The cell's very first run is none of them: it pays for everything, and would make
/// any second run look faster.
///
/// The median, and not the best of those before: one lucky run must not end a warm-up that goes on,
/// nor one slow run prolong it for ever. Two in a row, and not one, since one run that is slower by
/// chance says nothing about the next.
final class WarmUp {

  /// The most runs that are thrown away.
  static final int RUNS_MAX = 10;

  /// How many runs in a row must gain nothing.
  static final int STEADY_RUNS = 2;

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
    return runs == RUNS_MAX || isSteady();
  }

  /// Whether its last run was still faster than those before it.
  boolean isStillFaster() {
    return runs > 1 && runsNs[runs - 1] < STILL_FASTER * medianBefore(runs - 1);
  }

  private boolean isSteady() {
    for (int run = runs - STEADY_RUNS; run < runs; run++) {
      if (run < 1 || runsNs[run] < STILL_FASTER * medianBefore(run)) {
        return false;
      }
    }
    return true;
  }

  private double medianBefore(int run) {
    long[] before = Arrays.copyOf(runsNs, run);
    Arrays.sort(before);
    int half = before.length / 2;
    return before.length % 2 == 1 ? before[half] : (before[half - 1] + before[half]) / 2.0;
  }
}

package dev.zcp.insight;

import dev.zcp.insight.StageBook.Cells;
import java.util.LinkedHashMap;
import java.util.Map;

/// How many operations of each stage took how long, over the time of a run. Guarded by its owner's
/// lock.
///
/// The run is divided into steps, and latencies into powers of two. If there are more steps than
/// [#STEPS_MAX], two become one.
public final class HeatMap {

  /// How long a step is at first. An operation counts in the step in which it ended.
  static final long STEP_NS = 50_000_000;

  public static final int STEPS_MAX = 60;

  /// The first row counts everything below 2^10 ns, about a microsecond, and the last one
  /// everything from 17 s on.
  public static final int ROWS = 26;

  private final int[][] counts = new int[Lane.StageBooks.STAGES.length][];
  private int doublings;
  private int last;

  /// What was counted.
  ///
  /// @param stepNs how long a step is
  /// @param steps how many there are
  /// @param fromNs the least latency of each row, ascending
  /// @param counts by stage: the rows of the first step, then those of the second, and so on
  public record HeatCounts(long stepNs, int steps, long[] fromNs, Map<Stage, long[]> counts) {}

  /// @param stage the stage's ordinal
  /// @param step of [#STEP_NS], in which the operation ended
  void add(int stage, long step, long elapsedNs) {
    while (step >> doublings >= STEPS_MAX) {
      fold();
    }
    int at = (int) (step >> doublings);
    last = Math.max(last, at);
    if (counts[stage] == null) {
      counts[stage] = new int[STEPS_MAX * ROWS];
    }
    counts[stage][at * ROWS + Math.min(Cells.doublingsOf(elapsedNs), ROWS - 1)]++;
  }

  private void fold() {
    for (int[] mine : counts) {
      for (int i = 0; mine != null && i < mine.length; i++) {
        int count = mine[i];
        mine[i] = 0;
        mine[i / (2 * ROWS) * ROWS + i % ROWS] += count;
      }
    }
    last /= 2;
    doublings++;
  }

  /// The counts so far, without the empty rows below the first sample and above the last. Null if
  /// there are fewer than three steps.
  HeatCounts told() {
    if (last < 2) {
      return null;
    }
    int first = ROWS;
    int end = 0;
    for (int[] mine : counts) {
      for (int i = 0; mine != null && i < mine.length; i++) {
        if (mine[i] > 0) {
          first = Math.min(first, i % ROWS);
          end = Math.max(end, i % ROWS + 1);
        }
      }
    }
    long[] fromNs = new long[end - first];
    for (int i = 0; i < fromNs.length; i++) {
      fromNs[i] = first + i == 0 ? 0 : 1L << first + i + Cells.HALF_BITS - 1;
    }
    Map<Stage, long[]> told = new LinkedHashMap<>();
    for (Stage stage : Lane.StageBooks.STAGES) {
      int[] mine = counts[stage.ordinal()];
      if (mine != null) {
        long[] rows = new long[(last + 1) * fromNs.length];
        for (int i = 0; i < rows.length; i++) {
          rows[i] = mine[i / fromNs.length * ROWS + first + i % fromNs.length];
        }
        told.put(stage, rows);
      }
    }
    return new HeatCounts(STEP_NS << doublings, last + 1, fromNs, told);
  }
}

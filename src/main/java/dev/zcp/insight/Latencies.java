package dev.zcp.insight;

import dev.zcp.insight.StageBook.Cells;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// The latencies of one stage, when its work was over; at least one sample. All times are in
/// nanoseconds. Least, greatest, mean and total are exact; percentiles hold to three significant
/// figures at the least, and mean what they mean to HdrHistogram.
public final class Latencies {

  /// What is booked beside the histogram, which would round it.
  record Extremes(long minNs, long maxNs, long totalNs) {}

  /// Milliseconds since 1970.
  record Clock(long startedMs, long endedMs) {}

  private final long count;
  private final Extremes extremes;
  private final Clock clock;

  /// How many samples are in each of [Cells]; null if there were few.
  private final long[] cells;

  /// Distinct latencies, ascending, each with the number of samples; null until they are asked for.
  /// Guarded by this.
  private long[] cellsNs;

  private long[] cellCounts;

  /// How long after one operation the next should have begun; 0 if nobody said. Guarded by this.
  private long intervalNs;

  Latencies(long[] sortedNs, Extremes extremes, Clock clock) {
    this.count = sortedNs.length;
    this.extremes = extremes;
    this.clock = clock;
    this.cells = null;
    this.cellsNs = sortedNs;
    this.cellCounts = new long[sortedNs.length];
    Arrays.fill(cellCounts, 1);
  }

  /// @param cells how many samples are in each of [Cells]; becomes this object's own
  Latencies(long[] cells, long count, Extremes extremes, Clock clock) {
    this.count = count;
    this.extremes = extremes;
    this.clock = clock;
    this.cells = cells;
  }

  private Latencies(long[] cellsNs, long[] cellCounts, long count, Extremes extremes, Clock clock) {
    this.count = count;
    this.extremes = extremes;
    this.clock = clock;
    this.cells = null;
    this.cellsNs = cellsNs;
    this.cellCounts = cellCounts;
  }

  public long count() {
    return count;
  }

  public long minNs() {
    return extremes.minNs();
  }

  public long maxNs() {
    return extremes.maxNs();
  }

  public long totalNs() {
    return extremes.totalNs();
  }

  public long meanNs() {
    return Math.round((double) totalNs() / count);
  }

  /// The time within which `percent` of all samples lie.
  ///
  /// @param percent from 0 to 100, such as 99.9
  public synchronized long percentileNs(double percent) {
    readCells();
    // As HdrHistogram has it: nextDown, so that 99.9 % of 1000 samples are 999 of them although
    // doubles are rounded, and never less than one sample.
    long within = Math.max(1, (long) Math.ceil(Math.nextDown(percent) * count / 100));
    long seen = 0;
    for (int i = 0; i < cellsNs.length; i++) {
      seen += cellCounts[i];
      if (seen >= within) {
        return cellsNs[i];
      }
    }
    return maxNs();
  }

  /// A limit of the rate began an operation so often, if no other took longer.
  synchronized void paceBy(long intervalNs) {
    this.intervalNs = intervalNs;
  }

  /// These with the operations that would have been late, too, if each had begun when the limit of
  /// the rate allowed it. One that takes long keeps others from beginning, so that it counts once
  /// where many had to wait: coordinated omission.
  ///
  /// @return null if no limit said how often an operation begins
  public synchronized Latencies corrected() {
    if (intervalNs <= 0) {
      return null;
    }
    Histogram histogram = histogram().copyCorrectedForCoordinatedOmission(intervalNs);
    long[] ns = new long[cellsNs.length];
    long[] counts = new long[cellsNs.length];
    int found = 0;
    long totalNs = 0;
    for (HistogramIterationValue each : histogram.recordedValues()) {
      if (found == ns.length) {
        ns = Arrays.copyOf(ns, 2 * found);
        counts = Arrays.copyOf(counts, 2 * found);
      }
      ns[found] = Math.min(each.getValueIteratedTo(), maxNs());
      counts[found] = each.getCountAtValueIteratedTo();
      totalNs += ns[found] * counts[found];
      found++;
    }
    long correctedMinNs = Math.min(ns[0], minNs());
    return new Latencies(
        Arrays.copyOf(ns, found),
        Arrays.copyOf(counts, found),
        histogram.getTotalCount(),
        new Extremes(correctedMinNs, maxNs(), totalNs),
        clock);
  }

  /// How many samples lie in each interval from one bound up to, and without, the next: one count
  /// less than there are bounds. Samples outside of all bounds are not counted.
  ///
  /// @param boundsNs ascending
  public synchronized long[] countsBetween(long[] boundsNs) {
    readCells();
    long[] counts = new long[boundsNs.length - 1];
    int interval = 0;
    for (int i = 0; i < cellsNs.length; i++) {
      while (interval < counts.length && cellsNs[i] >= boundsNs[interval + 1]) {
        interval++;
      }
      if (interval < counts.length && cellsNs[i] >= boundsNs[interval]) {
        counts[interval] += cellCounts[i];
      }
    }
    return counts;
  }

  /// How many samples lie below or at each bound.
  ///
  /// @param boundsNs ascending
  public synchronized long[] countsUpTo(long[] boundsNs) {
    readCells();
    long[] counts = new long[boundsNs.length];
    int cell = 0;
    long seen = 0;
    for (int i = 0; i < boundsNs.length; i++) {
      while (cell < cellsNs.length && cellsNs[cell] <= boundsNs[i]) {
        seen += cellCounts[cell++];
      }
      counts[i] = seen;
    }
    return counts;
  }

  /// A histogram of the caller's own.
  synchronized Histogram histogram() {
    Histogram own = new Histogram(Cells.SIGNIFICANT_FIGURES);
    readCells();
    for (int i = 0; i < cellsNs.length; i++) {
      own.recordValueWithCount(cellsNs[i], cellCounts[i]);
    }
    own.setStartTimeStamp(clock.startedMs());
    own.setEndTimeStamp(clock.endedMs());
    return own;
  }

  private void readCells() {
    if (cellsNs != null) {
      return;
    }
    int last = Cells.indexOf(maxNs());
    long[] ns = new long[64];
    long[] counts = new long[64];
    int found = 0;
    for (int cell = Cells.indexOf(minNs()); cell <= last; cell++) {
      if (cells[cell] == 0) {
        continue;
      }
      if (found == ns.length) {
        ns = Arrays.copyOf(ns, 2 * found);
        counts = Arrays.copyOf(counts, 2 * found);
      }
      // A cell stands for its upper edge; no sample lies beyond the exact extremes.
      ns[found] = Math.clamp(Cells.edgeNs(cell), minNs(), maxNs());
      counts[found] = cells[cell];
      found++;
    }
    cellsNs = Arrays.copyOf(ns, found);
    cellCounts = Arrays.copyOf(counts, found);
  }
}

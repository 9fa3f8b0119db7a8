package dev.zcp.insight;

import dev.zcp.insight.StageBook.Cells;
import java.util.Arrays;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// The latencies of one stage, when its work was over; at least one sample. All times are in
/// nanoseconds. Least, greatest, mean and total are exact; percentiles hold to three significant
/// figures at the least, and mean what they mean to HdrHistogram.
public final class Latencies {

  /// What is booked beside the histogram, which would round it.
  ///
  /// @param busiestNs the total of the thread that has the greatest; 0 if that is not known
  record Extremes(long minNs, long maxNs, long totalNs, long busiestNs) {}

  /// Takes what is in one of the cells of a histogram: see [#eachCell].
  @FunctionalInterface
  public interface CellConsumer {
    void accept(int index, long samples);
  }

  /// Milliseconds since 1970.
  record Clock(long startedMs, long endedMs) {}

  /// More than any run has, and so few that a sum over all shards of a plan is none too much.
  private static final long SAMPLES_MAX = 1L << 48;

  /// How many operations may be added to the histogram for those that were held up: HdrHistogram
  /// takes a step for each.
  private static final double CORRECTED_STEPS_MAX = 10e6;

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

  /// Those that another end has told.
  ///
  /// @param indexes of cells as [#eachCell] numbers them. What is below the least or above the
  ///   greatest time counts as if it were there
  /// @param samples how many there are in each. Those beyond what any run has do not count
  public static Latencies told(
      int[] indexes, long[] samples, long minNs, long maxNs, long totalNs, long busiestNs) {
    int first = Cells.indexOf(minNs);
    int last = Cells.indexOf(maxNs);
    long[] cells = new long[Cells.through(last)];
    long count = 0;
    for (int i = 0; i < indexes.length; i++) {
      long counted = Math.min(samples[i], SAMPLES_MAX - count);
      cells[Math.clamp(indexes[i], first, last)] += counted;
      count += counted;
    }
    Extremes extremes = new Extremes(minNs, maxNs, Math.max(totalNs, maxNs), busiestNs);
    return new Latencies(cells, count, extremes, new Clock(0, 0));
  }

  /// Tells of each cell that has samples, in ascending order. Cells are numbered as HdrHistogram
  /// numbers those of three significant figures: one for each nanosecond below 2048, then 1024 for
  /// each power of two.
  public synchronized void eachCell(CellConsumer consumer) {
    readCells();
    for (int i = 0; i < cellsNs.length; ) {
      int index = Cells.indexOf(cellsNs[i]);
      long samples = 0;
      for (; i < cellsNs.length && Cells.indexOf(cellsNs[i]) == index; i++) {
        samples += cellCounts[i];
      }
      consumer.accept(index, samples);
    }
  }

  /// Reads what [#encoded] wrote, with what it lost.
  ///
  /// @throws IllegalArgumentException if it is no histogram of nanoseconds with three significant
  ///   figures, or does not fit its extremes
  public static Latencies decoded(
      String encoded, long minNs, long maxNs, long totalNs, long busiestNs) {
    if (minNs < 0 || maxNs < minNs || totalNs < maxNs) {
      throw new IllegalArgumentException("extremes that cannot be");
    }
    int first = Cells.indexOf(minNs);
    int last = Cells.indexOf(maxNs);
    long[] cells = new long[Cells.through(last)];
    long[] count = {0};
    CompressedHistogram.read(
        Base64.getDecoder().decode(encoded),
        (index, samples) -> {
          // An end that merged cells tells the edge of several, between its least and its greatest.
          if (index < first || index > last || samples > SAMPLES_MAX - count[0]) {
            throw new IllegalArgumentException("a histogram that does not fit its extremes");
          }
          cells[index] = samples;
          count[0] += samples;
        });
    if (count[0] == 0) {
      throw new IllegalArgumentException("a histogram without samples");
    }
    return new Latencies(
        cells, count[0], new Extremes(minNs, maxNs, totalNs, busiestNs), new Clock(0, 0));
  }

  /// HdrHistogram's compressed form, version 2, in base64: whoever has several can add them up.
  public String encoded() {
    return Base64.getEncoder().encodeToString(CompressedHistogram.of(this));
  }

  /// All samples of both.
  public Latencies plus(Latencies other) {
    long minNs = Math.min(minNs(), other.minNs());
    long maxNs = Math.max(maxNs(), other.maxNs());
    long[] sum = new long[Cells.through(Cells.indexOf(maxNs))];
    addTo(sum);
    other.addTo(sum);
    // Totals of saved runs may be anything.
    long bothNs = totalNs() + Math.min(other.totalNs(), Long.MAX_VALUE - totalNs());
    Extremes both = new Extremes(minNs, maxNs, bothNs, 0);
    Clock time =
        new Clock(
            Math.min(clock.startedMs(), other.clock.startedMs()),
            Math.max(clock.endedMs(), other.clock.endedMs()));
    return new Latencies(sum, count + other.count, both, time);
  }

  private synchronized void addTo(long[] sum) {
    readCells();
    for (int i = 0; i < cellsNs.length; i++) {
      sum[Cells.indexOf(cellsNs[i])] += cellCounts[i];
    }
  }

  Clock clock() {
    return clock;
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

  /// How much of the total was on the thread that has most of it. Never less than that, but more if
  /// there are very many threads; 0 if it is not known.
  public long busiestNs() {
    return extremes.busiestNs();
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
  /// the rate allowed it. One that takes long keeps others from beginning, so it counts once
  /// although many had to wait: coordinated omission.
  ///
  /// @return null if no limit said how often an operation begins, or if it is so far above the rate
  ///   that it held nothing up
  public synchronized Latencies corrected() {
    if (intervalNs <= 0) {
      return null;
    }
    readCells();
    double steps = 0;
    for (long ns : cellsNs) {
      steps += (double) ns / intervalNs;
    }
    if (steps > CORRECTED_STEPS_MAX) {
      return null;
    }
    Histogram histogram = histogram().copyCorrectedForCoordinatedOmission(intervalNs);
    long[] corrected = new long[Cells.through(Cells.indexOf(maxNs()))];
    long leastNs = minNs();
    long totalNs = 0;
    for (HistogramIterationValue each : histogram.recordedValues()) {
      long ns = Math.min(each.getValueIteratedTo(), maxNs());
      long samples = each.getCountAtValueIteratedTo();
      corrected[Cells.indexOf(ns)] += samples;
      leastNs = Math.min(leastNs, ns);
      totalNs += ns * samples;
    }
    Extremes found = new Extremes(leastNs, maxNs(), totalNs, 0);
    return new Latencies(corrected, histogram.getTotalCount(), found, clock);
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

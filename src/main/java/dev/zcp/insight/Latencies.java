package dev.zcp.insight;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// The latencies of one stage, as they stood when asked for; at least one sample. All times are in
/// nanoseconds. Least, greatest and total are exact, percentiles hold to three significant figures.
public final class Latencies {

  private final Histogram histogram;
  private final long minNs;
  private final long maxNs;
  private final long totalNs;

  Latencies(Histogram histogram, long minNs, long maxNs, long totalNs) {
    this.histogram = histogram;
    this.minNs = minNs;
    this.maxNs = maxNs;
    this.totalNs = totalNs;
  }

  /// The latencies of these samples.
  ///
  /// @throws IllegalArgumentException where there is none
  public static Latencies of(long... samplesNs) {
    if (samplesNs.length == 0) {
      throw new IllegalArgumentException("latencies without a sample");
    }
    StageBook book = new StageBook(0);
    for (long sampleNs : samplesNs) {
      book.book(sampleNs);
    }
    return book.close(0);
  }

  public long count() {
    return histogram.getTotalCount();
  }

  public long minNs() {
    return minNs;
  }

  public long maxNs() {
    return maxNs;
  }

  public long totalNs() {
    return totalNs;
  }

  public long meanNs() {
    return Math.round((double) totalNs / count());
  }

  /// The time within which `percent` of all samples lie.
  ///
  /// @param percent from 0 to 100, such as 99.9
  public long percentileNs(double percent) {
    // The histogram answers with the upper edge of a cell; no sample lies beyond the exact
    // extremes.
    return Math.clamp(histogram.getValueAtPercentile(percent), minNs, maxNs);
  }

  /// How many samples lie in each interval from one bound up to, and without, the next: one count
  /// less than there are bounds. Samples outside of all bounds are not counted.
  ///
  /// @param boundsNs ascending
  public long[] countsBetween(long[] boundsNs) {
    long[] counts = new long[boundsNs.length - 1];
    int interval = 0;
    for (HistogramIterationValue cell : histogram.recordedValues()) {
      long cellNs =
          Math.clamp(histogram.medianEquivalentValue(cell.getValueIteratedTo()), minNs, maxNs);
      while (interval < counts.length && cellNs >= boundsNs[interval + 1]) {
        interval++;
      }
      if (interval == counts.length) {
        break;
      }
      if (cellNs >= boundsNs[interval]) {
        counts[interval] += cell.getCountAddedInThisIterationStep();
      }
    }
    return counts;
  }

  /// A histogram of the caller's own.
  Histogram histogram() {
    Histogram copy = histogram.copy();
    copy.setStartTimeStamp(histogram.getStartTimeStamp());
    copy.setEndTimeStamp(histogram.getEndTimeStamp());
    return copy;
  }
}

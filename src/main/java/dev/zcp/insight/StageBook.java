package dev.zcp.insight;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/// Books the samples of one stage. Any thread may book: a step takes microseconds at the least, so
/// an uncontended lock of some 20 ns costs less than the second histogram of a lock-free recorder.
///
/// The first samples are kept as they are, and only where more follow is there a histogram: to a
/// cold process a histogram costs 0.3 ms to make and 3 ms to read, as much as copying a small file
/// does.
public final class StageBook {

  static final int FEW_MAX = 64;

  static final int SIGNIFICANT_FIGURES = 3;

  private final long startedMs;

  private long[] few = new long[8];
  private int count;

  /// Null as long as there are only few samples; then it has them all. It grows as it must: no
  /// stage should pay for the range of an hour before one took that long.
  private Histogram many;

  private long minNs = Long.MAX_VALUE;
  private long maxNs;
  private long totalNs;
  private boolean closed;

  /// @param startedMs the wall clock of the first moment that samples may come from, since 1970
  public StageBook(long startedMs) {
    this.startedMs = startedMs;
  }

  /// Adds a sample; a negative one counts as 0.
  public synchronized void book(long elapsedNs) {
    if (closed) {
      return;
    }
    long sampleNs = Math.max(0, elapsedNs);
    minNs = Math.min(minNs, sampleNs);
    maxNs = Math.max(maxNs, sampleNs);
    totalNs += sampleNs;
    if (many == null && count == FEW_MAX) {
      many = new Histogram(SIGNIFICANT_FIGURES);
      for (long fewNs : few) {
        many.recordValue(fewNs);
      }
    }
    if (many != null) {
      many.recordValue(sampleNs);
    } else {
      if (count == few.length) {
        few = Arrays.copyOf(few, 2 * count);
      }
      few[count++] = sampleNs;
    }
  }

  public synchronized boolean isEmpty() {
    return count == 0;
  }

  /// What was booked; there must be at least one sample, and those that follow are lost.
  ///
  /// @param endedMs the wall clock of the last moment that samples came from, since 1970
  public synchronized Latencies close(long endedMs) {
    closed = true;
    Latencies.Clock clock = new Latencies.Clock(startedMs, endedMs);
    Latencies.Extremes extremes = new Latencies.Extremes(minNs, maxNs, totalNs);
    if (many != null) {
      return new Latencies(many, extremes, clock);
    }
    long[] sorted = Arrays.copyOf(few, count);
    Arrays.sort(sorted);
    return new Latencies(sorted, extremes, clock);
  }
}

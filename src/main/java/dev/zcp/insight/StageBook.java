package dev.zcp.insight;

import org.HdrHistogram.Histogram;

/// Books the samples of one stage. Any thread may book: a step takes microseconds at the least, so
/// an uncontended lock of some 20 ns costs less than the second histogram of a lock-free recorder.
final class StageBook {

  private static final int SIGNIFICANT_FIGURES = 3;

  private final long startedMs;

  /// It grows as it must: a file of one step should not pay for the range of an hour.
  private final Histogram histogram = new Histogram(SIGNIFICANT_FIGURES);

  private long minNs = Long.MAX_VALUE;
  private long maxNs;
  private long totalNs;
  private boolean closed;

  /// @param startedMs the wall clock of the first moment that samples may come from, since 1970
  StageBook(long startedMs) {
    this.startedMs = startedMs;
  }

  synchronized void book(long elapsedNs) {
    if (closed) {
      return;
    }
    long sampleNs = Math.max(0, elapsedNs);
    histogram.recordValue(sampleNs);
    minNs = Math.min(minNs, sampleNs);
    maxNs = Math.max(maxNs, sampleNs);
    totalNs += sampleNs;
  }

  /// What was booked; there must be at least one sample, and those that follow are lost. The
  /// histogram is handed over and not copied: a copy goes cell by cell, which costs a cold process
  /// 0.3 ms a stage.
  ///
  /// @param endedMs the wall clock of the last moment that samples came from, since 1970
  synchronized Latencies close(long endedMs) {
    closed = true;
    histogram.setStartTimeStamp(startedMs);
    histogram.setEndTimeStamp(endedMs);
    return new Latencies(histogram, minNs, maxNs, totalNs);
  }
}

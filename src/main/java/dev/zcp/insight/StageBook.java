package dev.zcp.insight;

import java.util.Arrays;

/// Books the samples of one stage. Any thread may book.
///
/// The first samples are kept as they are, so that the latencies of a few are exact; if more follow
/// they are counted by [Cells].
public final class StageBook {

  static final int FEW_MAX = 64;

  private final long startedMs;

  private long[] few = new long[8];
  private long count;

  /// Null as long as there are only few samples; then it has them all. It grows as it must: no
  /// stage should pay for the range of an hour before one took that long.
  private long[] cells;

  private long minNs = Long.MAX_VALUE;
  private long maxNs;
  private long totalNs;

  /// @param startedMs the wall clock of the first moment that samples may come from, since 1970
  public StageBook(long startedMs) {
    this.startedMs = startedMs;
  }

  /// Adds a sample; a negative one counts as 0.
  public synchronized void book(long elapsedNs) {
    add(elapsedNs);
  }

  /// [#book] for those who see to it themselves that they are alone.
  void add(long elapsedNs) {
    long sampleNs = Math.max(0, elapsedNs);
    minNs = Math.min(minNs, sampleNs);
    maxNs = Math.max(maxNs, sampleNs);
    totalNs += sampleNs;
    if (cells != null) {
      addToCell(sampleNs);
    } else {
      addToFew(sampleNs);
    }
    count++;
  }

  public synchronized boolean isEmpty() {
    return count == 0;
  }

  /// What was booked; there must be at least one sample, and those that follow are lost.
  ///
  /// @param endedMs the wall clock of the last moment that samples came from, since 1970
  public synchronized Latencies close(long endedMs) {
    return latencies(endedMs, totalNs);
  }

  /// What was booked so far; there must be at least one sample.
  ///
  /// @param busiestNs how much of it was on the thread that has most of it
  Latencies latencies(long endedMs, long busiestNs) {
    Latencies.Clock clock = new Latencies.Clock(startedMs, endedMs);
    Latencies.Extremes extremes = new Latencies.Extremes(minNs, maxNs, totalNs, busiestNs);
    if (cells != null) {
      return new Latencies(cells.clone(), count, extremes, clock);
    }
    long[] sorted = Arrays.copyOf(few, (int) count);
    Arrays.sort(sorted);
    return new Latencies(sorted, extremes, clock);
  }

  private void addToFew(long sampleNs) {
    int at = (int) count;
    if (at == FEW_MAX) {
      cells = new long[0];
      for (long fewNs : few) {
        addToCell(fewNs);
      }
      addToCell(sampleNs);
      return;
    }
    if (at == few.length) {
      few = Arrays.copyOf(few, 2 * at);
    }
    few[at] = sampleNs;
  }

  private void addToCell(long sampleNs) {
    int cell = Cells.indexOf(sampleNs);
    if (cell >= cells.length) {
      cells = Arrays.copyOf(cells, Cells.through(cell));
    }
    cells[cell]++;
  }

  /// The cells of a histogram of three significant figures, numbered as HdrHistogram numbers its
  /// own: 2048 of one nanosecond, then for each power of two 1024 that are twice as wide as those
  /// before.
  ///
  /// Counting is done here and not by HdrHistogram, whose objects cost a cold process 0.3 ms to
  /// make and 3 ms to read, and 0.1 us for each sample of a tree's first 15,000 files.
  static final class Cells {

    static final int SIGNIFICANT_FIGURES = 3;

    static final int HALF_BITS = 10;
    private static final int HALF = 1 << HALF_BITS;
    private static final int NARROW_MAX = 2 * HALF - 1;
    private static final int MANTISSA_BITS = 52;

    /// By how much the number of a double is more than that of its cell.
    private static final int WIDE_OFFSET =
        (int) (Double.doubleToRawLongBits(HALF) >>> MANTISSA_BITS - HALF_BITS) - HALF;

    private Cells() {}

    /// A double is written as these cells are numbered: its exponent, and then the bits below the
    /// highest one. The first compiler has no instruction that counts zeros, and calls a method.
    ///
    /// @param ns not negative
    static int indexOf(long ns) {
      if (ns <= NARROW_MAX) {
        return (int) ns;
      }
      // Without the bit below those that count, no rounding of a long reaches them.
      double rounded = ns & ~(ns >>> HALF_BITS + 1);
      return (int) (Double.doubleToRawLongBits(rounded) >>> MANTISSA_BITS - HALF_BITS)
          - WIDE_OFFSET;
    }

    /// How many powers of two from 2^[#HALF_BITS] on are not greater than the time.
    static int doublingsOf(long ns) {
      return indexOf(ns) >> HALF_BITS;
    }

    /// The greatest time that counts as this cell.
    static long edgeNs(int index) {
      if (index <= NARROW_MAX) {
        return index;
      }
      int doublings = (index >> HALF_BITS) - 1;
      long first = (long) (index - (doublings << HALF_BITS)) << doublings;
      return first + (1L << doublings) - 1;
    }

    /// How many cells there are up to the last that is as wide as `index`: what to make room for.
    static int through(int index) {
      return (index | HALF - 1) + 1;
    }
  }
}

package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.StageBook.Cells;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellsTest {

  private static final Histogram HISTOGRAM = new Histogram(Cells.SIGNIFICANT_FIGURES);

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        1023,
        1024,
        2047,
        2048,
        2049,
        2050,
        4095,
        4096,
        1_000_000,
        1L << 62,
        Long.MAX_VALUE
      })
  void aCellHoldsWhatHdrHistogramTakesForEqual(long ns) {
    long edgeNs = HISTOGRAM.highestEquivalentValue(ns);
    assertThat(Cells.edgeNs(Cells.indexOf(ns))).isEqualTo(edgeNs);
    assertThat(Cells.indexOf(edgeNs)).isEqualTo(Cells.indexOf(ns));
    if (edgeNs < Long.MAX_VALUE) {
      assertThat(Cells.indexOf(edgeNs + 1)).isEqualTo(Cells.indexOf(ns) + 1);
    }
    assertThat(Cells.through(Cells.indexOf(ns))).isGreaterThan(Cells.indexOf(ns));
  }

  @Test
  void soItIsForAnyTime() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long ns = random.nextLong() >>> 1 + random.nextInt(63);
      assertThat(Cells.edgeNs(Cells.indexOf(ns)))
          .as("%d ns, seed %d", ns, seed)
          .isEqualTo(HISTOGRAM.highestEquivalentValue(ns));
    }
  }
}

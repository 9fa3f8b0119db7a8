package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zcp.testing.SampleLatencies;
import java.util.Arrays;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {

  private static final double[] PERCENTS = {0, 1, 50, 90, 99, 99.9, 99.99, 100};

  @Test
  void oneSampleIsItsOwnEveryPercentile() {
    Latencies latencies = SampleLatencies.of(1_234_567);
    for (double percent : PERCENTS) {
      assertThat(latencies.percentileNs(percent)).isEqualTo(1_234_567);
    }
    assertThat(latencies.count()).isEqualTo(1);
    assertThat(latencies.minNs()).isEqualTo(1_234_567);
    assertThat(latencies.maxNs()).isEqualTo(1_234_567);
    assertThat(latencies.meanNs()).isEqualTo(1_234_567);
    assertThat(latencies.totalNs()).isEqualTo(1_234_567);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 9, 17, StageBook.FEW_MAX, StageBook.FEW_MAX + 1, 1000, 100_000})
  void percentilesAreThoseOfHdrHistogram(int count) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long[] samplesNs = new long[count];
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < count; i++) {
      samplesNs[i] = (long) Math.exp(random.nextDouble(25));
      histogram.recordValue(samplesNs[i]);
    }
    Latencies latencies = SampleLatencies.of(samplesNs);
    for (double percent : PERCENTS) {
      assertThat((double) latencies.percentileNs(percent))
          .as("percentile %s of %d samples, seed %d", percent, count, seed)
          .isCloseTo(
              histogram.getValueAtPercentile(percent),
              within(histogram.getValueAtPercentile(percent) / 1000.0));
    }
    assertThat(latencies.count()).isEqualTo(count);
    assertThat(latencies.minNs()).isEqualTo(Arrays.stream(samplesNs).min().getAsLong());
    assertThat(latencies.maxNs()).isEqualTo(Arrays.stream(samplesNs).max().getAsLong());
    assertThat(latencies.totalNs()).isEqualTo(Arrays.stream(samplesNs).sum());
    assertThat(latencies.histogram()).isEqualTo(histogram);
  }

  @Test
  void whatNothingPacesIsNotCorrected() {
    assertThat(SampleLatencies.of(1, 2).corrected()).isNull();
  }

  /// One that took 400 ms where one is due each 100 ms kept three from beginning.
  @Test
  void anOperationThatTookLongCountsForThoseThatItHeldUp() {
    Latencies latencies = SampleLatencies.of(1_000_000, 1_000_000, 400_000_000);
    latencies.paceBy(100_000_000);
    Latencies corrected = latencies.corrected();
    assertThat(corrected.count()).isEqualTo(6);
    assertThat(corrected.maxNs()).isEqualTo(400_000_000);
    assertThat(corrected.minNs()).isEqualTo(1_000_000);
    assertThat((double) corrected.percentileNs(50)).isCloseTo(100e6, within(100e3));
    assertThat((double) corrected.totalNs()).isCloseTo(1002e6, within(2e6));
    assertThat(latencies.count()).isEqualTo(3);
    assertThat(corrected.corrected()).isNull();
  }

  @Test
  void theTailBeginsAtTheSampleThatThePercentileNames() {
    long[] samplesNs = new long[1000];
    Arrays.fill(samplesNs, 10);
    samplesNs[999] = 1_000_000;
    assertThat(SampleLatencies.of(samplesNs).percentileNs(99.9)).isEqualTo(10);
    samplesNs[998] = 900_000;
    assertThat(SampleLatencies.of(samplesNs).percentileNs(99.9)).isBetween(899_000L, 901_000L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, StageBook.FEW_MAX})
  void aSampleOnABoundBelongsToTheIntervalThatBeginsThere(int copies) {
    long[] samplesNs = new long[4 * copies];
    for (int i = 0; i < copies; i++) {
      samplesNs[4 * i] = 9;
      samplesNs[4 * i + 1] = 10;
      samplesNs[4 * i + 2] = 99;
      samplesNs[4 * i + 3] = 100;
    }
    Latencies latencies = SampleLatencies.of(samplesNs);
    assertThat(latencies.countsBetween(new long[] {0, 10, 100, 1000}))
        .containsExactly(copies, 2 * copies, copies);
    assertThat(latencies.countsBetween(new long[] {10, 99, 100})).containsExactly(copies, copies);
  }

  @Test
  void aClockThatRunsBackwardsIsBookedAsZero() {
    assertThat(SampleLatencies.of(-1).minNs()).isZero();
  }

  @Test
  void aSampleThatComesAfterTheEndChangesNothing() {
    StageBook book = new StageBook(0);
    book.book(5);
    Latencies latencies = book.close(0);
    book.book(500);
    assertThat(latencies.count()).isEqualTo(1);
    assertThat(latencies.maxNs()).isEqualTo(5);
  }

  @Test
  void aStepOfMoreThanAnHourIsBooked() {
    long dayNs = 86_400_000_000_000L;
    long[] samplesNs = new long[100];
    Arrays.fill(samplesNs, dayNs);
    assertThat(SampleLatencies.of(samplesNs).percentileNs(50)).isEqualTo(dayNs);
  }
}

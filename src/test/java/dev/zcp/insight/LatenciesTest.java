package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.zcp.testing.SampleLatencies;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  @Test
  void whatAPeerClaimsBeyondAnyRunCanBeReadAgain() {
    Latencies told =
        Latencies.told(
            new int[] {7, 8, 9}, new long[] {5, Long.MAX_VALUE, Long.MAX_VALUE}, 7, 9, 100, 100);
    assertThat(told.count()).isEqualTo(1L << 48);
    assertThat(Latencies.decoded(told.encoded(), 7, 9, 100, 100).count()).isEqualTo(1L << 48);
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

  /// Each nanosecond of a minute would be an operation.
  @Test
  @Timeout(20)
  void aLimitThatHeldUpNothingCorrectsNothing() {
    Latencies latencies = SampleLatencies.of(60_000_000_000L);
    latencies.paceBy(1);
    assertThat(latencies.corrected()).isNull();
  }

  @Test
  void aLimitFarAboveTheRateHeldNothingUp() {
    Latencies latencies = SampleLatencies.of(1_000_000, 60_000_000_000L);
    latencies.paceBy(10);
    assertThat(latencies.corrected()).isNull();
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

  @Test
  void whatIsEncodedAndReadAgainHasTheSamePercentiles() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int count : new int[] {1, 2, 64, 65, 5000}) {
      long[] samplesNs = new long[count];
      for (int i = 0; i < count; i++) {
        samplesNs[i] = (long) Math.exp(random.nextDouble() * 30);
      }
      Latencies written = SampleLatencies.of(samplesNs);
      Latencies read =
          Latencies.decoded(
              written.encoded(),
              written.minNs(),
              written.maxNs(),
              written.totalNs(),
              written.busiestNs());
      assertThat(read.count()).isEqualTo(count);
      assertThat(read.meanNs()).isEqualTo(written.meanNs());
      for (double percent : PERCENTS) {
        assertThat((double) read.percentileNs(percent))
            .as("seed %d, %d samples, %s %%", seed, count, percent)
            .isCloseTo(written.percentileNs(percent), withinPercentage(0.1));
      }
    }
  }

  /// Cells that were merged on the way lie between the extremes, and a total is only what was said.
  @Test
  void whatAnotherEndToldInFewCellsIsReadAgain() {
    Latencies told = Latencies.told(new int[] {9000}, new long[] {5}, 1000, 1L << 40, 7, 0);
    Latencies read =
        Latencies.decoded(told.encoded(), told.minNs(), told.maxNs(), told.totalNs(), 0);
    assertThat(read.count()).isEqualTo(5);
    assertThat(read.maxNs()).isEqualTo(1L << 40);
  }

  @Test
  void theSumOfSeveralHasTheSamplesOfAll() {
    long[] someNs = new long[3000];
    long[] othersNs = new long[] {7, 90_000_000_000L};
    long[] allNs = new long[someNs.length + othersNs.length];
    for (int i = 0; i < someNs.length; i++) {
      someNs[i] = 1000 + 17L * i;
      allNs[i] = someNs[i];
    }
    System.arraycopy(othersNs, 0, allNs, someNs.length, othersNs.length);
    Latencies all = SampleLatencies.of(allNs);
    Latencies sum = SampleLatencies.of(someNs).plus(SampleLatencies.of(othersNs));
    assertThat(sum.count()).isEqualTo(all.count());
    assertThat(sum.totalNs()).isEqualTo(all.totalNs());
    assertThat(sum.minNs()).isEqualTo(7);
    assertThat(sum.maxNs()).isEqualTo(90_000_000_000L);
    for (double percent : PERCENTS) {
      assertThat(sum.percentileNs(percent)).isEqualTo(all.percentileNs(percent));
    }
  }

  @Test
  void whatIsNoHistogramOrNoneOfTheseExtremesIsRefused() {
    Latencies latencies = SampleLatencies.of(1000, 2000);
    String encoded = latencies.encoded();
    assertRefused("", 1000, 2000, 3000);
    assertRefused("no base64!", 1000, 2000, 3000);
    assertRefused("AAAAAAAAAAAAAAAAAAAA", 1000, 2000, 3000);
    assertRefused(encoded.substring(0, encoded.length() / 2 / 4 * 4), 1000, 2000, 3000);
    assertRefused(encoded, 1000, 1500, 3000);
    assertRefused(encoded, 1500, 2000, 3000);
    assertRefused(encoded, -1, 2000, 3000);
    assertRefused(encoded, 1000, 2000, 1);
  }

  /// Five significant figures up to the longest time there is would take 50 MB for each histogram.
  @Test
  void aHistogramThatWouldTakeMuchMemoryIsRefused() {
    Histogram fine = new Histogram(Long.MAX_VALUE / 2, 5);
    fine.recordValue(1000);
    ByteBuffer buffer = ByteBuffer.allocate(fine.getNeededByteBufferCapacity());
    int length = fine.encodeIntoCompressedByteBuffer(buffer);
    byte[] bytes = Arrays.copyOf(buffer.array(), length);
    assertRefused(Base64.getEncoder().encodeToString(bytes), 1000, 1000, 1000);
  }

  /// Sums over many shards would turn negative.
  @Test
  void moreSamplesThanAnyRunHasAreRefused() {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(1000, 1L << 49);
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    byte[] bytes = Arrays.copyOf(buffer.array(), histogram.encodeIntoCompressedByteBuffer(buffer));
    assertRefused(Base64.getEncoder().encodeToString(bytes), 1000, 1000, Long.MAX_VALUE);
  }

  private static void assertRefused(String encoded, long minNs, long maxNs, long totalNs) {
    assertThatThrownBy(() -> Latencies.decoded(encoded, minNs, maxNs, totalNs, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

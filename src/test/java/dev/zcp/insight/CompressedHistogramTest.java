package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.testing.SampleLatencies;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressedHistogramTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64, 65, 1000, 100_000})
  void theLibraryReadsTheSamplesThatItWouldHaveCounted(int count) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long[] samplesNs = new long[count];
    for (int i = 0; i < count; i++) {
      samplesNs[i] = (long) Math.exp(random.nextDouble(30));
    }
    assertSame(SampleLatencies.of(samplesNs), "seed " + seed);
  }

  @Test
  void aRunOfEmptyCellsMayBeOfAnyLength() {
    assertSame(SampleLatencies.of(0), "the first cell");
    assertSame(SampleLatencies.of(1), "one empty cell before");
    assertSame(SampleLatencies.of(2), "two before");
    assertSame(SampleLatencies.of(0, 1, 3, 6), "none, one and two between");
    assertSame(SampleLatencies.of(5, 2047, 2048, 1L << 40), "far between");
    assertSame(SampleLatencies.of(Long.MAX_VALUE >> 5), "the last that is booked");
  }

  @Test
  void aCountMayHaveAnyLength() {
    for (int bits = 0; bits < 48; bits++) {
      long count = 1L << bits;
      Latencies told = Latencies.told(new int[] {7, 9}, new long[] {count, 1}, 7, 9, 100, 100);
      assertSame(told, "a count of " + count);
    }
  }

  @Test
  void whatIsNoneIsRefused() {
    byte[] whole = CompressedHistogram.of(SampleLatencies.of(1000, 2000));
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> CompressedHistogram.read(part, (index, samples) -> {}))
          .as("of %d bytes", length)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whatTheLibraryWroteIsReadAsWell() {
    Latencies latencies = SampleLatencies.of(0, 1, 5, 5, 2047, 2048, 1_000_000, 1L << 40);
    Histogram histogram = latencies.histogram();
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    assertThat(cells(Arrays.copyOf(buffer.array(), length))).isEqualTo(cells(latencies));
  }

  private static void assertSame(Latencies latencies, String what) {
    byte[] written = CompressedHistogram.of(latencies);
    Histogram histogram;
    try {
      histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(written), 0);
    } catch (DataFormatException e) {
      throw new AssertionError(what, e);
    }
    assertThat(histogram).as(what).isEqualTo(latencies.histogram());
    assertThat(cells(written)).as(what).isEqualTo(cells(latencies));
  }

  private static Map<Integer, Long> cells(byte[] written) {
    Map<Integer, Long> cells = new TreeMap<>();
    CompressedHistogram.read(written, cells::put);
    return cells;
  }

  private static Map<Integer, Long> cells(Latencies latencies) {
    Map<Integer, Long> cells = new TreeMap<>();
    latencies.eachCell(cells::put);
    return cells;
  }
}

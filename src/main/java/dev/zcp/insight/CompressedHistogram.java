package dev.zcp.insight;

import dev.zcp.insight.Latencies.CellConsumer;
import dev.zcp.insight.StageBook.Cells;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// HdrHistogram's compressed form, version 2, as its `AbstractHistogram` writes it: a head and
/// then, deflated, another head with the counts of all cells up to the last that has samples. A run
/// of empty cells is one negative count.
///
/// Written here, since only cells that have samples are looked at: the library looks at all up to
/// the greatest time. That takes 2 ms for each stage, because a process does it once, in code that
/// is not compiled yet. Reading, which only reports of saved runs do, is left to the library.
final class CompressedHistogram {

  private static final int COMPRESSED_COOKIE = 0x1c849314;
  private static final int COMPRESSED_HEAD_BYTES = 8;

  private static final int COOKIE = 0x1c849313;
  private static final int COUNTS_LENGTH_OFFSET = 4;
  private static final int FIGURES_OFFSET = 12;
  private static final int LEAST_OFFSET = 16;
  private static final int GREATEST_OFFSET = 24;
  private static final int RATIO_OFFSET = 32;
  private static final int HEAD_BYTES = 40;

  private static final int COUNT_BYTES_MAX = 9;

  private CompressedHistogram() {}

  static byte[] of(Latencies latencies) {
    return deflated(plain(latencies));
  }

  private static ByteBuffer plain(Latencies latencies) {
    int[] cells = {0};
    latencies.eachCell((index, samples) -> cells[0]++);
    // For each its count and that of the empty ones before.
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + cells[0] * 2 * COUNT_BYTES_MAX);
    out.position(HEAD_BYTES);
    int[] next = {0};
    latencies.eachCell(
        (index, samples) -> {
          int empty = index - next[0];
          if (empty > 0) {
            putCount(empty == 1 ? 0 : -empty, out);
          }
          putCount(samples, out);
          next[0] = index + 1;
        });
    out.putInt(0, COOKIE)
        .putInt(COUNTS_LENGTH_OFFSET, out.position() - HEAD_BYTES)
        .putInt(FIGURES_OFFSET, Cells.SIGNIFICANT_FIGURES)
        .putLong(LEAST_OFFSET, 1)
        .putLong(GREATEST_OFFSET, Cells.edgeNs(Cells.through(next[0] - 1) - 1))
        .putDouble(RATIO_OFFSET, 1);
    return out.flip();
  }

  /// In seven bits of each byte, the lowest first, and the sign in the lowest of all: ZigZag and
  /// LEB128.
  private static void putCount(long count, ByteBuffer out) {
    long rest = count << 1 ^ count >> Long.SIZE - 1;
    for (int i = 1; i < COUNT_BYTES_MAX && rest >>> 7 != 0; i++) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  private static byte[] deflated(ByteBuffer plain) {
    int plainBytes = plain.remaining();
    // Bytes that cannot be deflated grow by less than this: see zlib's compressBound.
    byte[] bytes = new byte[COMPRESSED_HEAD_BYTES + plainBytes + (plainBytes >> 12) + 64];
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(plain);
      deflater.finish();
      int length =
          deflater.deflate(bytes, COMPRESSED_HEAD_BYTES, bytes.length - COMPRESSED_HEAD_BYTES);
      ByteBuffer.wrap(bytes).putInt(COMPRESSED_COOKIE).putInt(length);
      return Arrays.copyOf(bytes, COMPRESSED_HEAD_BYTES + length);
    } finally {
      deflater.end();
    }
  }

  /// Tells of each cell that has samples, as [Latencies#eachCell] does.
  ///
  /// @throws IllegalArgumentException if this is no histogram of nanoseconds with three significant
  ///   figures
  static void read(byte[] bytes, CellConsumer consumer) {
    Histogram histogram;
    try {
      histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    } catch (DataFormatException | RuntimeException e) {
      // The library says by many exceptions that something is damaged.
      throw new IllegalArgumentException("no histogram", e);
    }
    if (histogram.getNumberOfSignificantValueDigits() != Cells.SIGNIFICANT_FIGURES
        || histogram.getLowestDiscernibleValue() != 1) {
      throw new IllegalArgumentException("no histogram of three significant figures");
    }
    for (HistogramIterationValue each : histogram.recordedValues()) {
      int cell = Cells.indexOf(each.getValueIteratedTo());
      consumer.accept(cell, each.getCountAtValueIteratedTo());
    }
  }
}

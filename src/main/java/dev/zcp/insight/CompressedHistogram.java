package dev.zcp.insight;

import dev.zcp.insight.Latencies.CellConsumer;
import dev.zcp.insight.StageBook.Cells;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// HdrHistogram's compressed form, version 2, as its `AbstractHistogram` writes it: a head and
/// then, deflated, another head with the counts of all cells up to the last that has samples. A run
/// of empty cells is one negative count.
///
/// This class looks only at cells that have samples. The library looks at all cells up to the
/// greatest time. That takes 2 ms for each stage, because a process does it once, in code that is
/// not compiled yet.
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
  private static final int CELLS_MAX = Cells.indexOf(Long.MAX_VALUE) + 1;

  private CompressedHistogram() {}

  /// Writes one.
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
  ///   figures; `consumer` may have heard of some cells by then
  static void read(byte[] bytes, CellConsumer consumer) {
    ByteBuffer counts = inflated(bytes);
    int index = 0;
    while (counts.hasRemaining()) {
      long count = takeCount(counts);
      if (count > 0) {
        consumer.accept(index, count);
      }
      long next = index + (count < 0 ? -count : 1);
      if (next < 0 || next > CELLS_MAX) {
        throw new IllegalArgumentException("a histogram of more cells than there are");
      }
      index = (int) next;
    }
  }

  /// The counts.
  private static ByteBuffer inflated(byte[] bytes) {
    Inflater inflater = new Inflater();
    try {
      int start = Math.min(bytes.length, COMPRESSED_HEAD_BYTES);
      inflater.setInput(bytes, start, bytes.length - start);
      ByteBuffer head = inflated(inflater, HEAD_BYTES);
      int length = head.getInt(COUNTS_LENGTH_OFFSET);
      if (head.getInt(0) != COOKIE
          || head.getInt(FIGURES_OFFSET) != Cells.SIGNIFICANT_FIGURES
          || head.getLong(LEAST_OFFSET) != 1
          || length < 0
          || length > CELLS_MAX * COUNT_BYTES_MAX) {
        throw new IllegalArgumentException("no histogram of three significant figures");
      }
      ByteBuffer counts = inflated(inflater, length);
      if (inflater.inflate(new byte[1]) > 0 || !inflater.finished()) {
        throw new IllegalArgumentException("a histogram of another length than it says");
      }
      return counts;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("no histogram", e);
    } finally {
      inflater.end();
    }
  }

  private static ByteBuffer inflated(Inflater inflater, int length) throws DataFormatException {
    byte[] bytes = new byte[length];
    if (inflater.inflate(bytes) < length) {
      throw new IllegalArgumentException("a histogram that is cut off");
    }
    return ByteBuffer.wrap(bytes);
  }

  private static long takeCount(ByteBuffer in) {
    long all = 0;
    for (int i = 0; i < COUNT_BYTES_MAX; i++) {
      if (!in.hasRemaining()) {
        throw new IllegalArgumentException("a histogram whose last count is cut off");
      }
      byte some = in.get();
      boolean isLast = some >= 0 || i == COUNT_BYTES_MAX - 1;
      all |= (long) (isLast ? some & 0xff : some & 0x7f) << 7 * i;
      if (isLast) {
        break;
      }
    }
    return all >>> 1 ^ -(all & 1);
  }
}

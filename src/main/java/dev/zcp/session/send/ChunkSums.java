package dev.zcp.session.send;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import java.util.Arrays;

/// What a file had when it was cut: the CRC32C of any run of its chunks. Belongs to one thread at a
/// time.
final class ChunkSums {

  /// Where chunks begin or end, in ascending order.
  private long[] offsets = new long[64];

  /// The CRC32C of the file up to each of them.
  private int[] sums = new int[64];

  /// The first one is the beginning of the file.
  private int count = 1;

  /// @param offset not before the end of the chunk before; what is between them is zeros
  void add(long offset, int length, int crc32c) {
    long holeBytes = offset - offsets[count - 1];
    if (holeBytes > 0) {
      note(offset, Crc32c.ofZeros(holeBytes), holeBytes);
    }
    note(offset + length, crc32c, length);
  }

  private void note(long end, int crc32c, long length) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      sums = Arrays.copyOf(sums, 2 * count);
    }
    offsets[count] = end;
    sums[count] = Crc32c.combined(sums[count - 1], crc32c, length);
    count++;
  }

  /// Whether it is a run of chunks.
  boolean has(Span span) {
    return index(span.offset()) >= 0 && index(span.end()) >= 0;
  }

  /// The CRC32C of a run that it [has][#has].
  int crc32c(Span span) {
    // A CRC is taken away as it was added.
    return Crc32c.combined(sums[index(span.offset())], sums[index(span.end())], span.length());
  }

  private int index(long offset) {
    return Arrays.binarySearch(offsets, 0, count, offset);
  }
}

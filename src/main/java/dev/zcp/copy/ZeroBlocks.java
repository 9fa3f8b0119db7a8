package dev.zcp.copy;

import java.nio.ByteBuffer;

/// Finds the blocks of zeros that `--sparse=always` makes holes of.
final class ZeroBlocks {

  /// What file systems make holes of.
  private static final int BLOCK_BYTES = 4096;

  private ZeroBlocks() {}

  /// Where the run of blocks ends that begins at the position of `bytes`: all of them are zeros, or
  /// none is.
  static int runEnd(ByteBuffer bytes) {
    int end = bytes.limit();
    boolean isZero = isZero(bytes);
    int at = bytes.position();
    do {
      at = Math.min(at + BLOCK_BYTES, end);
    } while (at < end && isZero(bytes, at) == isZero);
    return at;
  }

  /// Whether the first block is zeros.
  static boolean isZero(ByteBuffer bytes) {
    return isZero(bytes, bytes.position());
  }

  private static boolean isZero(ByteBuffer bytes, int from) {
    int to = Math.min(from + BLOCK_BYTES, bytes.limit());
    int at = from;
    while (at + Long.BYTES <= to && bytes.getLong(at) == 0) {
      at += Long.BYTES;
    }
    while (at < to && bytes.get(at) == 0) {
      at++;
    }
    return at == to;
  }
}

package dev.zcp.session.send;

/// How long the blocks of one connection are: long enough that frames and turns cost nothing, short
/// enough that a lost connection loses little and a slow one keeps no file waiting for long.
final class BlockLength {

  static final long BYTES_MIN = 1 << 20;
  static final long BYTES_MAX = 64L << 20;
  static final long BYTES_FIRST = 4L << 20;

  /// What a block should take.
  static final long TARGET_NS = 200_000_000;

  private long bytes = BYTES_FIRST;

  long bytes() {
    return bytes;
  }

  /// Learns from a block that went out. One much shorter than asked for says nothing of longer
  /// ones.
  void took(long moved, long elapsedNs) {
    if (moved < bytes / 2) {
      return;
    }
    double fitting = (double) moved * TARGET_NS / Math.max(1, elapsedNs);
    long next = (long) Math.clamp(fitting, bytes / 2.0, bytes * 2.0);
    bytes = Math.clamp(next / BYTES_MIN * BYTES_MIN, BYTES_MIN, BYTES_MAX);
  }
}

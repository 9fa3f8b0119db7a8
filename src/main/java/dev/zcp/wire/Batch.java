package dev.zcp.wire;

import java.util.List;

/// Whole small files at once: their raw bytes follow this frame, one file's after the other's,
/// without anything between. A unit of its connection. Each file in it is over with it.
///
/// @param pieces 1 to [Limits#RECORDS_MAX], at most [Limits#BATCH_BYTES_MAX] bytes together
/// @param digest of all the raw bytes, SHA-256; or NONE, if the CRC32C of each piece is enough
public record Batch(List<Piece> pieces, Digest digest) implements Frame {

  static final int SHA256 = 1;

  static final int RECORD_BYTES = 17;

  public Batch {
    pieces = List.copyOf(pieces);
    Limits.requireRecords(pieces.size());
    if (rawBytes(pieces) > Limits.BATCH_BYTES_MAX) {
      throw new IllegalArgumentException("a batch of " + rawBytes(pieces) + " bytes");
    }
    if (digest.algorithm() == Digest.Algorithm.CRC32C) {
      throw new IllegalArgumentException("a batch with a CRC32C of all");
    }
  }

  /// How many raw bytes follow.
  public int rawBytes() {
    return (int) rawBytes(pieces);
  }

  private static long rawBytes(List<Piece> pieces) {
    long bytes = 0;
    for (Piece piece : pieces) {
      bytes += piece.length();
    }
    return bytes;
  }
}

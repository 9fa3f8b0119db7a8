package dev.zcp.wire;

import dev.zcp.core.Span;

/// The head of a block: exactly `block.length()` raw bytes follow it on the wire, then its
/// [Trailer]. The kernel may move those bytes, so they are no part of this value.
///
/// Or a hole: zeros that the source keeps no room for. Neither bytes nor a trailer follow.
///
/// @param block where the bytes belong in the file; 1 to [Limits#DATA_BYTES_MAX] of them
/// @param isZstd whether the bytes follow as [pieces][PieceHead], of `block.length()` bytes
///   together
public record Data(long fileId, Span block, boolean isHole, boolean isZstd) implements Frame {

  static final int HOLE = 1;
  static final int ZSTD = 2;

  public Data {
    Limits.requireFileId(fileId);
    Limits.requireBlock(block);
    if (isHole && isZstd) {
      throw new IllegalArgumentException("a hole that is compressed");
    }
  }

  public Data(long fileId, Span block) {
    this(fileId, block, false, false);
  }

  public static Data hole(long fileId, Span span) {
    return new Data(fileId, span, true, false);
  }

  /// A block whose bytes follow in pieces.
  public static Data zstd(long fileId, Span span) {
    return new Data(fileId, span, false, true);
  }

  int flags() {
    return (isHole ? HOLE : 0) | (isZstd ? ZSTD : 0);
  }
}

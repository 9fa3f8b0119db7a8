package dev.zcp.wire;

import dev.zcp.core.Span;

/// The head of a block: exactly `block.length()` raw bytes follow it on the wire, then its
/// [Trailer]. The kernel may move those bytes, so they are no part of this value.
///
/// Or a hole: zeros that the source keeps no room for. Neither bytes nor a trailer follow.
///
/// @param block where the bytes belong in the file; 1 to [Limits#DATA_BYTES_MAX] of them
public record Data(long fileId, Span block, boolean isHole) implements Frame {

  static final int HOLE = 1;

  public Data {
    Limits.requireFileId(fileId);
    Limits.requireBlock(block);
  }

  public Data(long fileId, Span block) {
    this(fileId, block, false);
  }

  public static Data hole(long fileId, Span span) {
    return new Data(fileId, span, true);
  }

  /// How many raw bytes follow.
  public long rawBytes() {
    return isHole ? 0 : block.length();
  }
}

package dev.zcp.wire;

import dev.zcp.core.Span;

/// The head of a block: exactly `block.length()` raw bytes follow it on the wire, then its
/// [Trailer]. The kernel may move those bytes, so they are no part of this value.
///
/// @param block where the bytes belong in the file; 1 to [Limits#DATA_BYTES_MAX] of them
public record Data(long fileId, Span block) implements Frame {

  public Data {
    Limits.requireFileId(fileId);
    if (block.isEmpty() || block.length() > Limits.DATA_BYTES_MAX) {
      throw new IllegalArgumentException("a block of " + block.length() + " bytes");
    }
  }

  @Override
  public FrameType type() {
    return FrameType.DATA;
  }
}

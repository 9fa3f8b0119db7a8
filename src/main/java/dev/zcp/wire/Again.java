package dev.zcp.wire;

import dev.zcp.core.Span;

/// These bytes did not arrive as they were sent: their digest differs. The sender sends them again.
///
/// @param span a block, or a whole file of a batch
public record Again(long fileId, Span span) implements Frame {

  static final int PAYLOAD_BYTES = 8;

  public Again {
    Limits.requireFileId(fileId);
  }

  @Override
  public FrameType type() {
    return FrameType.AGAIN;
  }
}

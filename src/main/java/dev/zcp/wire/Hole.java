package dev.zcp.wire;

import dev.zcp.core.Span;

/// These bytes of the file are zeros that its source keeps no room for. A unit of its connection,
/// without raw bytes.
public record Hole(long fileId, Span span) implements Frame {

  static final int PAYLOAD_BYTES = 8;

  public Hole {
    Limits.requireFileId(fileId);
    if (span.isEmpty()) {
      throw new IllegalArgumentException("a hole of nothing");
    }
  }

  @Override
  public FrameType type() {
    return FrameType.HOLE;
  }
}

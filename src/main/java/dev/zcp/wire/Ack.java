package dev.zcp.wire;

/// The receiver has the whole file, and its digests fit.
///
/// @param size the file's bytes, which must be what was sent
/// @param published whether the file has its final name; false where the bytes went to a pipe, say
public record Ack(long fileId, long size, boolean published) implements Frame {

  /// The flag.
  static final int PUBLISHED = 1;

  static final int PAYLOAD_BYTES = 8;

  public Ack {
    Limits.requireFileId(fileId);
    Limits.requireSize(size);
  }

  @Override
  public FrameType type() {
    return FrameType.ACK;
  }
}

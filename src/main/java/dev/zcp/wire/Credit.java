package dev.zcp.wire;

/// The receiver has another window from now on: see [Accept#windowBytes]. What is under way stays.
public record Credit(long windowBytes) implements Frame {

  static final int PAYLOAD_BYTES = 8;

  public Credit {
    if (windowBytes < 1) {
      throw new IllegalArgumentException("a window of " + windowBytes + " bytes");
    }
  }

  @Override
  public FrameType type() {
    return FrameType.CREDIT;
  }
}

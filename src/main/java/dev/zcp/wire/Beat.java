package dev.zcp.wire;

/// This end lives, and has nothing else to say just now: it reads a slow disk, say.
public record Beat() implements Frame {

  @Override
  public FrameType type() {
    return FrameType.BEAT;
  }
}

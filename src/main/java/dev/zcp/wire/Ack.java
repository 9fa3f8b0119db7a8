package dev.zcp.wire;

/// So many units of this connection, counted from its first, were dealt with: a unit is a [Batch],
/// a block ([Data] with its [Trailer]), a [Hole] or an [End]. What was not well with one was said
/// before, by [Nack] or [Again].
public record Ack(long units) implements Frame {

  static final int PAYLOAD_BYTES = 8;

  public Ack {
    Limits.requireSize(units);
  }

  @Override
  public FrameType type() {
    return FrameType.ACK;
  }
}

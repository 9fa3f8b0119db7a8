package dev.zcp.wire;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Turns the frames of one direction of one connection into bytes and seals the control frames
/// among them. One thread's at a time, since their order is part of the seal.
public final class FrameWriter {

  /// Makes the MAC of a control frame.
  @FunctionalInterface
  public interface Signer {

    /// Must read `message` to its limit and write [Limits#MAC_BYTES] bytes to `mac`.
    ///
    /// @param sequence how many control frames of this direction came before
    void sign(long sequence, ByteBuffer message, ByteBuffer mac);
  }

  private final Signer signer;
  private final ByteBuffer scratch =
      ByteBuffer.allocate(Limits.CONTROL_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
  private long sequence;

  public FrameWriter(Signer signer) {
    this.signer = signer;
  }

  /// Writes a control frame whole, and of [Data] the header: the block's bytes go after it by other
  /// means.
  ///
  /// @param target with room for the frame, which is at most [Limits#CONTROL_BYTES_MAX]
  /// @throws BufferOverflowException where it has less; then nothing was written
  public void put(Frame frame, ByteBuffer target) {
    Payload.put(frame, scratch.clear());
    boolean sealed = frame.type() != FrameType.DATA;
    if (target.remaining() < scratch.position() + (sealed ? Limits.MAC_BYTES : 0)) {
      throw new BufferOverflowException();
    }
    if (sealed) {
      signer.sign(sequence, scratch.duplicate().flip(), scratch);
      sequence++;
    }
    target.put(scratch.flip());
  }
}

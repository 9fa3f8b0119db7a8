package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Turns the frames of one direction of one connection into bytes and seals the control frames
/// among them. One thread's at a time, since their order is part of the seal.
public final class FrameWriter {

  /// Most frames are shorter; a longer one makes the buffer as long as itself, and a header bounds
  /// that by [Limits#CONTROL_BYTES_MAX].
  static final int SCRATCH_BYTES = 2 << 10;

  /// Makes the MAC of a control frame.
  @FunctionalInterface
  public interface Signer {

    /// Must read `message` to its limit and write [Limits#MAC_BYTES] bytes to `mac`.
    ///
    /// @param sequence how many control frames of this direction came before
    void sign(long sequence, ByteBuffer message, ByteBuffer mac);
  }

  private final Signer signer;
  private ByteBuffer scratch = scratch(SCRATCH_BYTES);
  private long sequence;

  public FrameWriter(Signer signer) {
    this.signer = signer;
  }

  static ByteBuffer scratch(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// A control frame whole, and of [Data] the header: the block's bytes go after it by other means,
  /// as do the raw bytes of a [Batch].
  ///
  /// @return the bytes from its position to its limit; good until the next call
  public ByteBuffer encode(Frame frame) {
    Header header = Payload.header(frame);
    int payloadBytes = header.isData() ? 0 : header.controlBytes();
    if (scratch.capacity() < Limits.HEADER_BYTES + payloadBytes) {
      scratch = scratch(Limits.HEADER_BYTES + payloadBytes);
    }
    header.put(scratch.clear());
    if (!header.isData()) {
      Payload.put(frame, scratch);
      signer.sign(sequence, scratch.duplicate().flip(), scratch);
      sequence++;
    }
    return scratch.flip();
  }
}

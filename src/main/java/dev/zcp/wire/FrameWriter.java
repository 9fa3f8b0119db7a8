package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Turns the frames of one direction of one connection into bytes and seals each by its MAC. One
/// thread's at a time, since their order is part of the MAC.
public final class FrameWriter {

  /// Most frames are shorter; a longer one makes the buffer as long as itself, and a header bounds
  /// that by [Limits#CONTROL_BYTES_MAX].
  static final int SCRATCH_BYTES = 2 << 10;

  @FunctionalInterface
  public interface Signer {

    /// Must read `message` to its limit and write [Limits#MAC_BYTES] bytes to `mac`.
    ///
    /// @param sequence how many frames of this direction came before
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

  /// A frame whole. The raw bytes of [Data] and of a [Part] go after it by other means.
  ///
  /// @return the bytes from its position to its limit; good until the next call
  public ByteBuffer encode(Frame frame) {
    Header header = Payload.header(frame);
    int frameBytes = Limits.HEADER_BYTES + header.restBytes();
    if (scratch.capacity() < frameBytes) {
      scratch = scratch(frameBytes);
    }
    header.put(scratch.clear());
    Payload.put(frame, scratch);
    signer.sign(sequence, scratch.duplicate().flip(), scratch);
    sequence++;
    return scratch.flip();
  }
}

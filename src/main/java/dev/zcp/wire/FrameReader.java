package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Turns the bytes of one direction of one connection back into frames, each only once its MAC was
/// found to fit. One thread's at a time, since their order is part of the MAC.
///
/// Reading takes two steps, so that the caller reads exactly what is due and leaves the bytes of a
/// block in the socket for the kernel: [Header#decode], then [#frame].
public final class FrameReader {

  @FunctionalInterface
  public interface Verifier {

    /// Must say whether `mac`, of [Limits#MAC_BYTES] bytes, is that of `message`, in a time that
    /// does not depend on the bytes.
    ///
    /// @param sequence how many frames of this direction came before
    boolean verify(long sequence, ByteBuffer message, ByteBuffer mac);
  }

  private final Verifier verifier;
  private ByteBuffer scratch = FrameWriter.scratch(FrameWriter.SCRATCH_BYTES);
  private long sequence;

  public FrameReader(Verifier verifier) {
    this.verifier = verifier;
  }

  /// Reads the [Header#restBytes] that follow `header`.
  ///
  /// @param rest must have as many, in any byte order
  /// @throws ProtocolException INTEGRITY if they were damaged, forged, repeated, moved, or follow a
  ///   frame that was left out; PROTOCOL if the peer sent them, and they are no frame of zcp/1
  public Frame frame(Header header, ByteBuffer rest) throws ProtocolException {
    int frameBytes = Limits.HEADER_BYTES + header.restBytes();
    if (scratch.capacity() < frameBytes) {
      scratch = FrameWriter.scratch(frameBytes);
    }
    header.put(scratch.clear());
    scratch.put(rest.slice(rest.position(), header.restBytes())).flip();
    rest.position(rest.position() + header.restBytes());
    int payloadEnd = frameBytes - Limits.MAC_BYTES;
    ByteBuffer message = scratch.slice(0, payloadEnd);
    if (!verifier.verify(sequence, message, scratch.slice(payloadEnd, Limits.MAC_BYTES))) {
      throw ProtocolException.damaged(
          "a " + header.type() + " frame's MAC does not fit: damaged, forged or out of order");
    }
    sequence++;
    try {
      header.require();
      message.position(Limits.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      return Payload.parse(header, message);
    } catch (IllegalArgumentException e) {
      throw new ProtocolException(header.type() + ": " + e.getMessage());
    }
  }
}

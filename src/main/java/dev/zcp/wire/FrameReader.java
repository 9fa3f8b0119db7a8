package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Turns the bytes of one direction of one connection back into control frames, each only once its
/// seal was found whole. One thread's at a time, since their order is part of the seal.
///
/// Reading takes two steps, so that the caller reads exactly what is due and leaves the bytes of a
/// block in the socket for the kernel: [Header#decode], then [#control] or [Header#data].
public final class FrameReader {

  /// Checks the MAC of a control frame.
  @FunctionalInterface
  public interface Verifier {

    /// Must say whether `mac`, of [Limits#MAC_BYTES] bytes, is that of `message`, in a time that
    /// does not depend on the bytes.
    ///
    /// @param sequence how many control frames of this direction came before
    boolean verify(long sequence, ByteBuffer message, ByteBuffer mac);
  }

  private final Verifier verifier;
  private ByteBuffer scratch = FrameWriter.scratch(FrameWriter.SCRATCH_BYTES);
  private long sequence;

  public FrameReader(Verifier verifier) {
    this.verifier = verifier;
  }

  /// Reads the [Header#controlBytes] that follow `header`.
  ///
  /// @param rest must have as many, in any byte order
  /// @throws ProtocolException if they were damaged, forged, repeated, moved, or follow a frame
  ///   that was left out, and where they are no payload of this type
  public Frame control(Header header, ByteBuffer rest) throws ProtocolException {
    int length = header.controlBytes();
    int frameBytes = Limits.HEADER_BYTES + length;
    if (scratch.capacity() < frameBytes) {
      scratch = FrameWriter.scratch(frameBytes);
    }
    header.put(scratch.clear());
    scratch.put(rest.slice(rest.position(), length)).flip();
    rest.position(rest.position() + length);
    int payloadEnd = Limits.HEADER_BYTES + header.length();
    ByteBuffer message = scratch.slice(0, payloadEnd);
    ByteBuffer mac = scratch.slice(payloadEnd, Limits.MAC_BYTES);
    if (!verifier.verify(sequence, message, mac)) {
      throw ProtocolException.damaged(
          "a " + header.type() + " frame's MAC does not fit: damaged, forged or out of order");
    }
    sequence++;
    try {
      return Payload.parse(
          header,
          scratch.slice(Limits.HEADER_BYTES, header.length()).order(ByteOrder.LITTLE_ENDIAN));
    } catch (IllegalArgumentException e) {
      throw new ProtocolException(header.type() + ": " + e.getMessage());
    }
  }
}

package dev.zcp.wire;

import java.nio.ByteBuffer;

/// The receiver's word on the sender's proof, which ends the handshake.
///
/// A refusal is not authenticated: whoever can forge one could cut the connection as well.
///
/// @param proof the receiver's own, of [Limits#PROOF_BYTES] bytes; zeros where it refuses
public record Welcome(Status status, Octets proof) {

  /// How the receiver decided.
  public enum Status {
    /// The sender may begin, once it has checked the receiver's proof.
    ACCEPTED(0),
    /// The sender's proof is not of the receiver's key.
    BAD_KEY(1),
    /// The key is right, and the receiver serves another sender.
    BUSY(2),
    /// The sender's version, mode or capabilities are not the receiver's.
    UNSUPPORTED(3),
    /// The key is right, and the session that this connection would join is not there, or no more.
    NO_SESSION(4);

    private static final Status[] ALL = values();

    private final int code;

    Status(int code) {
      this.code = code;
    }

    static Status ofCode(int code) throws ProtocolException {
      for (Status status : ALL) {
        if (status.code == code) {
          return status;
        }
      }
      throw new ProtocolException("unknown status " + code + " in the welcome");
    }
  }

  public static final int BYTES = 1 + Limits.PROOF_BYTES;

  public Welcome {
    proof.require(Limits.PROOF_BYTES, "the proof");
    if (status != Status.ACCEPTED && !proof.isZero()) {
      throw new IllegalArgumentException("a refusal that proves the key");
    }
  }

  public static Welcome accepted(Octets proof) {
    return new Welcome(Status.ACCEPTED, proof);
  }

  public static Welcome refused(Status status) {
    return new Welcome(status, Octets.of(new byte[Limits.PROOF_BYTES]));
  }

  /// The [#BYTES] bytes of it.
  public byte[] encode() {
    return ByteBuffer.allocate(BYTES).put((byte) status.code).put(proof.bytes()).array();
  }

  /// Reads [#BYTES] bytes.
  ///
  /// @param bytes must have as many
  /// @throws ProtocolException if they are no welcome
  public static Welcome decode(ByteBuffer bytes) throws ProtocolException {
    Status status = Status.ofCode(bytes.get() & 0xff);
    byte[] proof = new byte[Limits.PROOF_BYTES];
    bytes.get(proof);
    try {
      return new Welcome(status, Octets.of(proof));
    } catch (IllegalArgumentException e) {
      throw new ProtocolException(e.getMessage());
    }
  }
}

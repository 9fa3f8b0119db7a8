package dev.zcp.secure;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// What the two hellos of one connection, what it is bound to, and the key give: a proof for each
/// end, and the keys of the frames.
///
/// Everything is `HMAC-SHA256(K, label || 0x00 || dialler's hello || listener's hello || binding)`,
/// the shape of NIST SP 800-108r1, section 4.1 (counter mode, one block), with a label of its own
/// for each purpose, so no output says anything about another. K is uniformly random, so the
/// extract step of HKDF may be left out (RFC 5869, section 3.3). Both hellos hold a fresh nonce, so
/// an old proof never fits again. The binding is what both ends of a connection of TLS have and
/// nobody between them (RFC 5056), so a proof does not fit who decrypts and encrypts on the way. A
/// label names both what an end does, to dial or to listen, and its side, so a proof that is sent
/// back to its maker, or that an end of another side made, does not fit either.
public final class Handshake {

  public static final int PROOF_BYTES = Hmac.BYTES;

  private final Hmac hmac;
  private final String dialler;
  private final String listener;

  /// What follows the label.
  private final byte[] context;

  /// @param dialler the side of the end that dialled: `sender` or `receiver`
  /// @param diallerHello the bytes that it sent, all of them
  /// @param listener the side of the other end
  /// @param listenerHello the bytes that this one sent, all of them
  /// @param binding bytes that both ends of this connection have and no other connection has; none
  ///   if there is no such thing
  public Handshake(
      Key key,
      String dialler,
      byte[] diallerHello,
      String listener,
      byte[] listenerHello,
      byte[] binding) {
    this.hmac = new Hmac(key.bytes());
    this.dialler = dialler;
    this.listener = listener;
    this.context =
        ByteBuffer.allocate(1 + diallerHello.length + listenerHello.length + binding.length)
            .put((byte) 0)
            .put(diallerHello)
            .put(listenerHello)
            .put(binding)
            .array();
  }

  /// What the listener shows first, to anybody.
  public byte[] listenerProof() {
    return derive("listening", listener, "proof");
  }

  public byte[] diallerProof() {
    return derive("dialling", dialler, "proof");
  }

  /// Whether `proof` comes from a listener with the key, in a time that does not depend on the
  /// bytes.
  public boolean isListenerProof(byte[] proof) {
    return MessageDigest.isEqual(listenerProof(), proof);
  }

  /// Whether `proof` comes from a dialler with the key, in a time that does not depend on the
  /// bytes.
  public boolean isDiallerProof(byte[] proof) {
    return MessageDigest.isEqual(diallerProof(), proof);
  }

  /// The keys of this connection's frames, for the dialler; of use once both proofs were right.
  public SessionKeys diallerKeys() {
    return new SessionKeys(diallerFrames(), listenerFrames());
  }

  /// As [#diallerKeys], for the listener.
  public SessionKeys listenerKeys() {
    return new SessionKeys(listenerFrames(), diallerFrames());
  }

  private FrameMac diallerFrames() {
    return new FrameMac(derive("dialling", dialler, "frames"));
  }

  private FrameMac listenerFrames() {
    return new FrameMac(derive("listening", listener, "frames"));
  }

  private byte[] derive(String place, String side, String purpose) {
    String label = "zcp/1 " + place + " " + side + " " + purpose;
    return hmac.update(label.getBytes(StandardCharsets.US_ASCII)).update(context).finish().clone();
  }
}

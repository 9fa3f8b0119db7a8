package dev.zcp.secure;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// What the two hellos of one connection and the key give: a proof for each end, and the session's
/// keys.
///
/// Everything is `HMAC-SHA256(K, label || 0x00 || sender's hello || receiver's hello)`, the shape
/// of NIST SP 800-108r1, section 4.1 (counter mode, one block), with a label of its own for each
/// purpose, so no output says anything about another. K is uniformly random, so the extract step of
/// HKDF may be left out (RFC 5869, section 3.3). Both hellos hold a fresh nonce, so an old proof
/// never fits again; the labels name the end, so a proof sent back does not fit either.
public final class Handshake {

  public static final int PROOF_BYTES = Hmac.BYTES;

  private static final String SENDER_PROOF = "zcp/1 sender proof";
  private static final String RECEIVER_PROOF = "zcp/1 receiver proof";
  private static final String SENDER_FRAMES = "zcp/1 sender frames";
  private static final String RECEIVER_FRAMES = "zcp/1 receiver frames";

  private static final byte[] SEPARATOR = {0};

  private final Hmac hmac;
  private final byte[] senderHello;
  private final byte[] receiverHello;

  /// @param senderHello the bytes that the sender sent, all of them
  /// @param receiverHello the bytes that the receiver sent, all of them
  public Handshake(Key key, byte[] senderHello, byte[] receiverHello) {
    this.hmac = new Hmac(key.bytes());
    this.senderHello = senderHello.clone();
    this.receiverHello = receiverHello.clone();
  }

  /// What the sender shows first.
  public byte[] senderProof() {
    return derive(SENDER_PROOF);
  }

  /// What the receiver shows, only to a sender whose proof was right.
  public byte[] receiverProof() {
    return derive(RECEIVER_PROOF);
  }

  /// Whether `proof` comes from a sender with the key, in a time that does not depend on the bytes.
  public boolean isSenderProof(byte[] proof) {
    return MessageDigest.isEqual(senderProof(), proof);
  }

  /// Whether `proof` comes from a receiver with the key, in a time that does not depend on the
  /// bytes.
  public boolean isReceiverProof(byte[] proof) {
    return MessageDigest.isEqual(receiverProof(), proof);
  }

  /// The keys of this connection's frames; of use once both proofs were right.
  public SessionKeys sessionKeys() {
    return new SessionKeys(
        new FrameMac(derive(SENDER_FRAMES)), new FrameMac(derive(RECEIVER_FRAMES)));
  }

  private byte[] derive(String label) {
    return hmac.update(label.getBytes(StandardCharsets.US_ASCII))
        .update(SEPARATOR)
        .update(senderHello)
        .update(receiverHello)
        .finish()
        .clone();
  }
}

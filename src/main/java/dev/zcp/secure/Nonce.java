package dev.zcp.secure;

/// Fresh random bytes for one handshake. They are no secret; that they never come twice is what
/// makes an old proof worthless.
public final class Nonce {

  public static final int BYTES = 32;

  private Nonce() {}

  /// A new nonce of [#BYTES] bytes.
  public static byte[] random() {
    return Randomness.bytes(BYTES);
  }

  /// `count` fresh bytes, for an identifier that must not come twice either.
  public static byte[] random(int count) {
    return Randomness.bytes(count);
  }
}

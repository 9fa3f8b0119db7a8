package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/// Bytes that mean nothing to the protocol but that they are equal or not: session ids, nonces,
/// proofs, digests, and what file systems keep for others.
public final class Bytes {

  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Bytes of(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /// The next `count` bytes of `in`.
  ///
  /// @throws IllegalArgumentException if there are not as many
  public static Bytes take(ByteBuffer in, int count) {
    requireRemaining(in, count);
    byte[] bytes = new byte[count];
    in.get(bytes);
    return new Bytes(bytes);
  }

  /// To be asked before anything of this length is allocated or read.
  static void requireRemaining(ByteBuffer in, int count) {
    if (count < 0 || count > in.remaining()) {
      throw new IllegalArgumentException("it is cut short");
    }
  }

  void put(ByteBuffer out) {
    out.put(bytes);
  }

  /// Whether a zero byte is among them, where a C string would end.
  boolean hasNul() {
    for (byte b : bytes) {
      if (b == 0) {
        return true;
      }
    }
    return false;
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int length() {
    return bytes.length;
  }

  void require(int length, String what) {
    if (bytes.length != length) {
      throw new IllegalArgumentException(
          what + " is of " + bytes.length + " bytes, not of " + length);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes octets && Arrays.equals(bytes, octets.bytes);
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

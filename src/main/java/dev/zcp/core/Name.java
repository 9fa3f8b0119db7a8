package dev.zcp.core;

import java.util.Arrays;

/// The bare name of a file, as bytes: no directory, no `.` or `..`, 1 to 255 bytes, no `/`, no NUL.
///
/// A name from a peer is one of these before anything is done with it, so it cannot lead outside
/// the directory it is resolved in.
public final class Name {

  /// NAME_MAX of Linux file systems, in bytes: limits.h(0P).
  public static final int BYTES_MAX = 255;

  private final byte[] bytes;

  private Name(byte[] bytes) {
    this.bytes = bytes;
  }

  /// @throws IllegalArgumentException with the reason, if `bytes` are no bare name
  public static Name of(byte[] bytes) {
    requireBare(bytes, 0, bytes.length);
    return new Name(bytes.clone());
  }

  /// Requires the bytes from `start` to `end` to be a bare name.
  ///
  /// @throws IllegalArgumentException with the reason, if they are none
  public static void requireBare(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length == 0) {
      throw new IllegalArgumentException("the name is empty");
    }
    if (length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the name is longer than " + BYTES_MAX + " bytes: " + length);
    }
    for (int i = start; i < end; i++) {
      if (bytes[i] == '/' || bytes[i] == 0) {
        throw new IllegalArgumentException(
            "the name holds a " + (bytes[i] == 0 ? "NUL byte" : "slash"));
      }
    }
    if (bytes[start] == '.' && (length == 1 || length == 2 && bytes[start + 1] == '.')) {
      throw new IllegalArgumentException("the name is " + ".".repeat(length));
    }
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Name name && Arrays.equals(bytes, name.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// The name as a terminal may show it: see [Printable].
  @Override
  public String toString() {
    return Printable.of(bytes);
  }
}

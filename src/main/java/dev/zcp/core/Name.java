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

  /// @throws IllegalArgumentException with the reason, where `bytes` are no bare name
  public static Name of(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("the name is empty");
    }
    if (bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the name is longer than " + BYTES_MAX + " bytes: " + bytes.length);
    }
    for (byte b : bytes) {
      if (b == '/' || b == 0) {
        throw new IllegalArgumentException("the name holds a " + (b == 0 ? "NUL byte" : "slash"));
      }
    }
    if (bytes[0] == '.' && (bytes.length == 1 || bytes.length == 2 && bytes[1] == '.')) {
      throw new IllegalArgumentException("the name is " + Printable.of(bytes));
    }
    return new Name(bytes.clone());
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

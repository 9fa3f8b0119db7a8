package dev.zcp.wire;

import dev.zcp.core.Name;
import dev.zcp.core.Printable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Where an entry belongs below the receiver's directory: one or more [bare names][Name] with a
/// slash between each, so it can lead nowhere else. At most [Limits#PATH_BYTES_MAX] bytes.
public final class EntryPath {

  private final byte[] bytes;

  private EntryPath(byte[] bytes) {
    this.bytes = bytes;
  }

  /// @throws IllegalArgumentException with the reason, where `bytes` are no such path
  public static EntryPath of(byte[] bytes) {
    if (bytes.length > Limits.PATH_BYTES_MAX) {
      throw new IllegalArgumentException("a path of " + bytes.length + " bytes");
    }
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == '/') {
        Name.requireBare(bytes, start, i);
        start = i + 1;
      }
    }
    return new EntryPath(bytes.clone());
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int length() {
    return bytes.length;
  }

  /// How many bytes this path and `other` begin with alike.
  int shared(EntryPath other) {
    int mismatch = Arrays.mismatch(bytes, other.bytes);
    return mismatch < 0 ? bytes.length : mismatch;
  }

  /// Writes the bytes from `start` on.
  void put(int start, ByteBuffer out) {
    out.put(bytes, start, bytes.length - start);
  }

  /// From the top down; at least one.
  public List<Name> names() {
    List<Name> names = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == '/') {
        names.add(Name.of(Arrays.copyOfRange(bytes, start, i)));
        start = i + 1;
      }
    }
    return names;
  }

  /// The last of its names.
  public Name name() {
    return Name.of(Arrays.copyOfRange(bytes, lastSlash() + 1, bytes.length));
  }

  /// The path without its last name, or null if it has only one.
  public EntryPath parent() {
    int slash = lastSlash();
    return slash < 0 ? null : new EntryPath(Arrays.copyOf(bytes, slash));
  }

  /// Where the last slash is, or -1.
  private int lastSlash() {
    int i = bytes.length - 1;
    while (i >= 0 && bytes[i] != '/') {
      i--;
    }
    return i;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryPath path && Arrays.equals(bytes, path.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// As a terminal may show it.
  @Override
  public String toString() {
    return Printable.of(bytes);
  }
}

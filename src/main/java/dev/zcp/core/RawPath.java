package dev.zcp.core;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/// A path as the bytes a user typed or a directory held, which need not be text in any encoding.
///
/// Java's `Path.of(String)` loses such bytes and, under `LC_ALL=C`, refuses every one above 127.
/// `Path.of(URI)` takes them all, so a path goes through its percent-encoded form.
public final class RawPath {

  private static final HexFormat HEX = HexFormat.of();

  private final byte[] bytes;

  private RawPath(byte[] bytes) {
    this.bytes = bytes;
  }

  /// @throws IllegalArgumentException if there is no byte, or one of them is NUL
  public static RawPath of(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("an empty path names nothing");
    }
    for (byte b : bytes) {
      if (b == 0) {
        throw new IllegalArgumentException("a path holds no NUL byte");
      }
    }
    return new RawPath(bytes.clone());
  }

  /// The path whose UTF-8 bytes are `text`.
  public static RawPath of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The bytes of a path that Java found, in a directory stream for instance, made absolute.
  public static RawPath of(Path path) {
    return new RawPath(decode(path.toAbsolutePath().toUri().getRawPath()));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /// Whether this is `-`, which stands for standard input or output.
  public boolean isStandardStream() {
    return bytes.length == 1 && bytes[0] == '-';
  }

  /// Whether the path ends in `/`, and so can only mean a directory.
  public boolean endsInSlash() {
    return bytes[bytes.length - 1] == '/';
  }

  /// What follows the last `/`, trailing slashes aside. Empty for `/` itself.
  public byte[] lastComponent() {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == '/') {
      end--;
    }
    int start = end;
    while (start > 0 && bytes[start - 1] != '/') {
      start--;
    }
    return Arrays.copyOfRange(bytes, start, end);
  }

  /// The directory that holds [#lastComponent]: what stands before it, `/` for what has nothing but
  /// slashes there, and `.` if nothing stands there.
  public RawPath parent() {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == '/') {
      end--;
    }
    while (end > 0 && bytes[end - 1] != '/') {
      end--;
    }
    if (end == 0) {
      return new RawPath(new byte[] {bytes[0] == '/' ? (byte) '/' : (byte) '.'});
    }
    while (end > 1 && bytes[end - 1] == '/') {
      end--;
    }
    return new RawPath(Arrays.copyOf(bytes, end));
  }

  /// The path of `name` in the directory that this path names.
  public RawPath resolve(byte[] name) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream(bytes.length + name.length + 1);
    joined.writeBytes(bytes);
    if (!endsInSlash()) {
      joined.write('/');
    }
    joined.writeBytes(name);
    return new RawPath(joined.toByteArray());
  }

  /// The path for Java's file API. A relative path stays relative if its bytes allow it, and else
  /// begins at `/proc/self/cwd`, since the working directory's own name may be as hard to say.
  public Path toPath() {
    if (isAscii()) {
      return Path.of(new String(bytes, StandardCharsets.US_ASCII));
    }
    StringBuilder uri = new StringBuilder("file://");
    if (bytes[0] != '/') {
      uri.append("/proc/self/cwd/");
    }
    for (byte b : bytes) {
      if (isUnreserved(b)) {
        uri.append((char) b);
      } else {
        uri.append('%').append(HEX.toHexDigits(b));
      }
    }
    return Path.of(URI.create(uri.toString()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RawPath path && Arrays.equals(bytes, path.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /// The path as a terminal may show it: see [Printable].
  @Override
  public String toString() {
    return Printable.of(bytes);
  }

  private boolean isAscii() {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnreserved(byte b) {
    return b == '/'
        || b == '-'
        || b == '.'
        || b == '_'
        || b >= '0' && b <= '9'
        || b >= 'A' && b <= 'Z'
        || b >= 'a' && b <= 'z';
  }

  private static byte[] decode(String percentEncoded) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(percentEncoded.length());
    for (int i = 0; i < percentEncoded.length(); i++) {
      char c = percentEncoded.charAt(i);
      if (c == '%') {
        out.write(Integer.parseInt(percentEncoded, i + 1, i + 3, 16));
        i += 2;
      } else {
        out.write(c);
      }
    }
    byte[] bytes = out.toByteArray();
    // toUri() marks a directory with a trailing slash that is no part of its name.
    int end = bytes.length;
    while (end > 1 && bytes[end - 1] == '/') {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }
}

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

  /// What messages show in its place; usually the bytes themselves.
  private final byte[] shown;

  private RawPath(byte[] bytes) {
    this(bytes, bytes);
  }

  private RawPath(byte[] bytes, byte[] shown) {
    this.bytes = bytes;
    this.shown = shown;
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
    RawPath all = new RawPath(decode(path.toAbsolutePath().toUri().getRawPath()));
    // toUri() marks a directory with a trailing slash that is no part of its name.
    return new RawPath(Arrays.copyOf(all.bytes, all.withoutSlashes(all.bytes.length, 1)));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /// The same path, which messages show as another: of a directory that is held open, whose name in
  /// `/proc` nobody typed. What is resolved in it is shown below that.
  ///
  /// @param label at least one byte
  public RawPath shownAs(byte[] label) {
    return new RawPath(bytes, label.clone());
  }

  /// What messages show, before it is made printable.
  public byte[] shown() {
    return shown.clone();
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
    int end = withoutSlashes(bytes.length, 0);
    return Arrays.copyOfRange(bytes, startOfName(end), end);
  }

  /// The directory that holds [#lastComponent]: what stands before it, `/` for what has nothing but
  /// slashes there, and `.` if nothing stands there.
  public RawPath parent() {
    return shown == bytes
        ? ownParent()
        : new RawPath(ownParent().bytes, new RawPath(shown).ownParent().bytes);
  }

  private RawPath ownParent() {
    int end = startOfName(withoutSlashes(bytes.length, 0));
    if (end == 0) {
      return new RawPath(new byte[] {bytes[0] == '/' ? (byte) '/' : (byte) '.'});
    }
    return new RawPath(Arrays.copyOf(bytes, withoutSlashes(end, 1)));
  }

  /// `end`, or as far before it as there are slashes, but not before `least`.
  private int withoutSlashes(int end, int least) {
    int at = end;
    while (at > least && bytes[at - 1] == '/') {
      at--;
    }
    return at;
  }

  private int startOfName(int end) {
    int start = end;
    while (start > 0 && bytes[start - 1] != '/') {
      start--;
    }
    return start;
  }

  /// The path of `name` in the directory that this path names.
  public RawPath resolve(byte[] name) {
    byte[] joined = joined(bytes, name);
    return shown == bytes ? new RawPath(joined) : new RawPath(joined, joined(shown, name));
  }

  private static byte[] joined(byte[] directory, byte[] name) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream(directory.length + name.length + 1);
    joined.writeBytes(directory);
    if (directory[directory.length - 1] != '/') {
      joined.write('/');
    }
    joined.writeBytes(name);
    return joined.toByteArray();
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
    return Printable.of(shown);
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
    return b >= '-' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '_';
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
    return out.toByteArray();
  }
}

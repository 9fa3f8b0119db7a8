package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.Printable;
import dev.zcp.wire.EntryPath;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/// Names of files, which are any bytes, as URLs, headers and pages have them.
final class WebName {

  private WebName() {}

  /// The path that a URL names. A `/` that is percent-encoded separates no names, and so is refused
  /// in one.
  ///
  /// @param encoded percent-encoded, without a slash at either end
  /// @throws Failure USAGE if it is no path below a directory
  static EntryPath ofUrl(String encoded) throws Failure {
    return path(EntryPath.TOP, encoded, WebName::bytes);
  }

  /// The path that a form names, below a directory. Browsers encode a quote and line ends, and no
  /// percent sign: section 4.10.21.8 of the HTML standard.
  ///
  /// @param written each char a byte
  static EntryPath ofForm(EntryPath directory, String written) throws Failure {
    return path(
        directory,
        written.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"),
        name -> name.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static EntryPath path(EntryPath directory, String text, Function<String, byte[]> decoder)
      throws Failure {
    try {
      EntryPath path = directory;
      for (String name : text.split("/", -1)) {
        byte[] bytes = decoder.apply(name);
        Name.requireBare(bytes, 0, bytes.length);
        path = path.child(bytes);
      }
      return path;
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, Printable.of(text), String.valueOf(e.getMessage()));
    }
  }

  /// In a URL, unlike in a form, a `+` is a `+`.
  private static byte[] bytes(String encoded) {
    if (!encoded.chars().allMatch(c -> c <= 0xff)) {
      throw new IllegalArgumentException("a character that is not percent-encoded");
    }
    String plain = encoded.replace("+", "%2B");
    return URLDecoder.decode(plain, StandardCharsets.ISO_8859_1)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /// The names of a path, the first one first.
  static Deque<byte[]> names(EntryPath path) {
    Deque<byte[]> names = new ArrayDeque<>();
    for (EntryPath each = path; each != null && !each.isTop(); each = each.parent()) {
      names.push(each.name().bytes());
    }
    return names;
  }

  /// One name for a URL: RFC 3986, section 2.3.
  static String encoded(byte[] name) {
    String text = new String(name, StandardCharsets.ISO_8859_1);
    return URLEncoder.encode(text, StandardCharsets.ISO_8859_1)
        .replace("+", "%20")
        .replace("*", "%2A");
  }

  /// The header that has a file saved under its name and never shown: RFC 6266. Browsers take the
  /// second form (RFC 8187), and curl knows the first one alone, so that has the bytes themselves.
  /// Each char is a byte.
  ///
  /// @param ending what follows the name
  static String disposition(byte[] name, String ending) {
    StringBuilder plain = new StringBuilder(name.length);
    for (byte b : name) {
      boolean isUnsafe = b >= 0 && b < ' ' || b == 0x7f || b == '"' || b == '\\';
      plain.append(isUnsafe ? '_' : (char) (b & 0xff));
    }
    String encoded = encoded(text(name).getBytes(StandardCharsets.UTF_8));
    return "attachment; filename=\"" + plain + ending + "\"; filename*=UTF-8''" + encoded + ending;
  }

  /// The name itself if it is UTF-8; else with its other bytes escaped.
  static String text(byte[] name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      return Printable.of(name);
    }
  }
}

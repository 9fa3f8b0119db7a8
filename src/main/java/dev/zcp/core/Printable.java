package dev.zcp.core;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Makes text that came from a file system or a peer safe for a terminal and a log.
///
/// Control characters become `\n`, `\x1b` and the like; so do bidirectional overrides and others
/// that hide, by their number in braces, and bytes that are not UTF-8. So a name can neither move
/// the cursor nor pretend to be another name (CVE-2019-6109, CVE-2023-43620). A backslash is
/// doubled, and above `\x7f` two digits are a byte that is no text, never a character: no two names
/// look alike.
public final class Printable {

  /// To the end of the line: ECMA-48, EL.
  private static final String ERASE_LINE = "\u001b[K";

  private static final String DIGITS = "0123456789abcdef";

  private Printable() {}

  /// `bytes` as UTF-8 with everything unprintable escaped.
  public static String of(byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    StringBuilder text = new StringBuilder(bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      escape(text, out.flip());
      out.clear();
      if (result.isUnderflow()) {
        return text.toString();
      }
      // Malformed: show the offending bytes as they are and go on after them.
      for (int i = 0; i < result.length(); i++) {
        escape(text, in.get() & 0xff);
      }
      decoder.reset();
    }
  }

  /// `text` with everything unprintable escaped.
  public static String of(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    escape(safe, text);
    return safe.toString();
  }

  /// `text` that may have names in it which are printable already: itself, unless something in it
  /// is still unprintable. So backslashes are not doubled again.
  public static String ofPhrase(String text) {
    String escaped = of(text);
    return escaped.replace("\\\\", "\\").equals(text) ? text : escaped;
  }

  /// As [#ofPhrase], of lines that may be begun anew, as progress does. Tabs stay, too.
  public static String ofLines(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isErasure = text.startsWith(ERASE_LINE, i);
      if (isErasure || c == '\n' || c == '\r' || c == '\t') {
        int end = i + (isErasure ? ERASE_LINE.length() : 1);
        safe.append(ofPhrase(text.substring(start, i))).append(text, i, end);
        start = end;
        i = end - 1;
      }
    }
    return safe.append(ofPhrase(text.substring(start))).toString();
  }

  private static void escape(StringBuilder safe, CharSequence text) {
    for (int i = 0; i < text.length(); ) {
      int codePoint = Character.codePointAt(text, i);
      i += Character.charCount(codePoint);
      switch (codePoint) {
        case '\\' -> safe.append("\\\\");
        case '\n' -> safe.append("\\n");
        case '\r' -> safe.append("\\r");
        case '\t' -> safe.append("\\t");
        default -> {
          if (!isUnsafe(codePoint)) {
            safe.appendCodePoint(codePoint);
          } else if (codePoint < 0x80) {
            escape(safe, codePoint);
          } else {
            safe.append("\\u{").append(Integer.toHexString(codePoint)).append('}');
          }
        }
      }
    }
  }

  private static void escape(StringBuilder safe, int octet) {
    safe.append("\\x").append(DIGITS.charAt(octet >> 4)).append(DIGITS.charAt(octet & 0xf));
  }

  /// C0, DEL, C1, surrogates, and format characters: zero-width and bidirectional ones among them.
  private static boolean isUnsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}

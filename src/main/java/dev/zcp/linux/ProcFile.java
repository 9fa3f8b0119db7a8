package dev.zcp.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A file of proc(5), of which many have a name and a value in each line.
public final class ProcFile {

  private ProcFile() {}

  /// All of it, each byte a character; empty if it cannot be read, since older kernels and
  /// containers lack some.
  public static String text(String path) {
    try (FileInputStream in = new FileInputStream(path)) {
      // A setting of numbers is all in the first read, which must have room for it: that of
      // Files.readString is of a single byte.
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /// The first word after `name` in a text, or null if there is none.
  static String word(String text, String name) {
    try {
      int at = text.indexOf(name);
      if (at < 0) {
        return null;
      }
      int start = at + name.length();
      while (text.charAt(start) <= ' ') {
        start++;
      }
      int end = start;
      while (text.charAt(end) > ' ') {
        end++;
      }
      return text.substring(start, end);
    } catch (IndexOutOfBoundsException e) {
      return null;
    }
  }

  /// As [#word], of a number.
  ///
  /// @throws NumberFormatException if there is none
  static long number(String text, String name) {
    return Long.parseLong(word(text, name));
  }
}

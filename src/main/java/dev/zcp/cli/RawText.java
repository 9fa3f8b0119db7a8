package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import java.nio.charset.StandardCharsets;

/// Turns the strings that went through picocli, one char for one byte, into what they stand for.
final class RawText {

  private RawText() {}

  static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  static RawPath path(String latin1) throws Failure {
    try {
      return RawPath.of(bytes(latin1));
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, e.getMessage()).because(e);
    }
  }

  /// What a person meant by the argument: its bytes as UTF-8.
  static String text(String latin1) {
    return new String(bytes(latin1), StandardCharsets.UTF_8);
  }

  /// The argument as a message may quote it.
  static String printable(String latin1) {
    return Printable.of(bytes(latin1));
  }

  /// As a shell takes it, if it is text.
  static String quoted(String latin1) {
    String shown = printable(latin1);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      boolean isPlain = Character.isLetterOrDigit(c) || "-_./,:=@%+".indexOf(c) >= 0;
      if (!isPlain) {
        return "'" + shown.replace("'", "'\\''") + "'";
      }
    }
    return shown.isEmpty() ? "''" : shown;
  }
}

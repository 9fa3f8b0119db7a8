package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A message to the other end's user: UTF-8 of at most [Limits#TEXT_BYTES_MAX] bytes.
///
/// It may hold any character; whoever shows it must make it printable first.
final class Text {

  private Text() {}

  /// `text`, cut between two characters if it is too long, with `?` for half a surrogate pair: what
  /// arrives when it is sent.
  static String capped(String text) {
    byte[] utf8 = bytes(text);
    int end = Math.min(utf8.length, Limits.TEXT_BYTES_MAX);
    while (end < utf8.length && (utf8[end] & 0xc0) == 0x80) {
      end--;
    }
    return new String(utf8, 0, end, StandardCharsets.UTF_8);
  }

  static int length(String text) {
    return text.isEmpty() ? 0 : bytes(text).length;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Takes `bytes` bytes off `in`.
  ///
  /// @throws IllegalArgumentException if they are too many, are not there, or are not UTF-8
  static String take(int bytes, ByteBuffer in) {
    if (bytes == 0) {
      return "";
    }
    if (bytes > Limits.TEXT_BYTES_MAX) {
      throw new IllegalArgumentException("a text of " + bytes + " bytes");
    }
    Bytes.requireRemaining(in, bytes);
    ByteBuffer utf8 = in.slice(in.position(), bytes);
    in.position(in.position() + bytes);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("its text is not UTF-8", e);
    }
  }
}

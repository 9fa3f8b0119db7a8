package dev.zcp.secure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32C;

/// The secret that lets a peer in: 16 uniformly random bytes, known to both ends.
///
/// A key is random, never a password, so that HMAC may use it as it is and nobody can guess it
/// however often he tries. Its text has a check, so that a key that is mistyped, or that somebody
/// thought of, is not taken for one.
public final class Key {

  private static final int BYTES = 16;
  private static final int CHECK_BYTES = 2;

  /// Of the text: 18 bytes need no padding.
  public static final int CHARS = (BYTES + CHECK_BYTES) / 3 * 4;

  /// A text that differs from this length by so much may still be a key that was copied in part.
  private static final int LOST_CHARS_MAX = 4;

  private final byte[] bytes;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Key random() {
    return new Key(Randomness.bytes(BYTES));
  }

  /// Reads what [#text] wrote; white space before and after does not count, since files end in a
  /// line feed.
  ///
  /// @throws IllegalArgumentException if `text` is no key; the message does not repeat it
  public static Key parse(String text) {
    String digits = text.strip();
    if (digits.isEmpty()) {
      throw new IllegalArgumentException("this is not a key: it is empty");
    }
    boolean isLikeKey = true;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      isLikeKey &=
          c >= 'A' && c <= 'Z'
              || c >= 'a' && c <= 'z'
              || c >= '0' && c <= '9'
              || c == '-'
              || c == '_';
    }
    if (!isLikeKey || Math.abs(digits.length() - CHARS) > LOST_CHARS_MAX) {
      throw new IllegalArgumentException(
          "this is not a key that zcp made ('zcp key' prints one; a key that somebody thinks up can"
              + " be guessed)");
    }
    if (digits.length() != CHARS) {
      throw new IllegalArgumentException(
          "the key is mistyped: it has %d characters, and a key has %d"
              .formatted(digits.length(), CHARS));
    }
    ByteBuffer decoded = ByteBuffer.wrap(Base64.getUrlDecoder().decode(digits));
    byte[] bytes = new byte[BYTES];
    decoded.get(bytes);
    if (decoded.getShort() != check(bytes)) {
      throw new IllegalArgumentException("the key is mistyped, or zcp did not make it");
    }
    return new Key(bytes);
  }

  /// The key and its check in base64url (RFC 4648, section 5). It is the secret itself: for the
  /// URL, the key file and the environment only.
  public String text() {
    byte[] checked =
        ByteBuffer.allocate(BYTES + CHECK_BYTES).put(bytes).putShort(check(bytes)).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(checked);
  }

  /// The low half of their CRC32C. It keeps nobody from guessing; there are 128 bits for that.
  private static short check(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (short) crc.getValue();
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /// Shows nothing of the key, so that no log or message can.
  @Override
  public String toString() {
    return "Key[redacted]";
  }
}

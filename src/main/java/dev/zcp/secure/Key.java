package dev.zcp.secure;

import java.util.Base64;

/// The secret that lets a sender in: 16 to 64 uniformly random bytes, known to both ends.
///
/// A key is random, never a password, so that HMAC may use it as it is and nobody can guess it
/// however often he tries.
public final class Key {

  public static final int BYTES_MIN = 16;
  public static final int BYTES_MAX = 64;

  private final byte[] bytes;

  private Key(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Key random() {
    return new Key(Randomness.bytes(BYTES_MIN));
  }

  /// Reads what [#text] wrote; white space before and after does not count, since files end in a
  /// line feed.
  ///
  /// @throws IllegalArgumentException if `text` is no key; the message does not repeat it
  public static Key parse(String text) {
    String digits = text.strip();
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(digits);
    } catch (IllegalArgumentException e) {
      // Without the cause: its message shows a character of the key.
      throw new IllegalArgumentException(
          "the key holds a character that is none of A-Z, a-z, 0-9, - and _, or it is cut short");
    }
    if (bytes.length < BYTES_MIN || bytes.length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the key has %d bytes, and should have %d to %d"
              .formatted(bytes.length, BYTES_MIN, BYTES_MAX));
    }
    Key key = new Key(bytes);
    // The decoder takes padding and ignores left-over bits: then two texts would be one key.
    if (!key.text().equals(digits)) {
      throw new IllegalArgumentException("the key's last character is mistyped, or it is padded");
    }
    return key;
  }

  /// The key in base64url without padding (RFC 4648, section 5): 22 characters for 128 bits. It is
  /// the secret itself: for the URL and the key file only.
  public String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
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

package dev.zcp.session.receive;

import dev.zcp.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// The names of what is kept of a file that has not all its bytes yet, beside its place:
/// `.zcp-HEX.part` and `.zcp-HEX.journal`, of the first 16 hexadecimal digits of the SHA-256 of its
/// own name. So the next session finds them.
///
/// @param digest the SHA-256: other names may begin with the same digits
record HiddenNames(Octets digest, byte[] part, byte[] journal) {

  static final int DIGEST_BYTES = 32;

  /// What the names begin with, which no entry that a sender offers may.
  private static final byte[] PREFIX = ascii(".zcp-");

  private static final int DIGITS_BYTES = 8;

  static HiddenNames of(byte[] name) {
    byte[] digest;
    try {
      digest = MessageDigest.getInstance("SHA-256").digest(name);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
    String stem = ".zcp-" + HexFormat.of().formatHex(digest, 0, DIGITS_BYTES);
    return new HiddenNames(Octets.of(digest), ascii(stem + ".part"), ascii(stem + ".journal"));
  }

  /// Whether a name is one that zcp keeps for itself.
  static boolean isReserved(byte[] name) {
    return name.length >= PREFIX.length
        && Arrays.equals(name, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

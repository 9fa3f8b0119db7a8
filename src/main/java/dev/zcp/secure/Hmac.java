package dev.zcp.secure;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// HMAC-SHA256 (RFC 2104) with one key, used again and again by one thread.
///
/// Written over [MessageDigest] because `javax.crypto.Mac` costs 20 ms of start-up on top of it,
/// most of it for the provider framework of ciphers (measured on JDK 25, with an AOT cache). A test
/// holds it against the vectors of RFC 4231 and against `javax.crypto.Mac`.
final class Hmac {

  static final int BYTES = 32;

  /// The block of SHA-256, to which the key is padded.
  private static final int BLOCK_BYTES = 64;

  private final MessageDigest sha256;
  private final byte[] innerPad;
  private final byte[] outerPad;
  private final byte[] result = new byte[BYTES];

  Hmac(byte[] key) {
    sha256 = sha256();
    byte[] block = Arrays.copyOf(key.length > BLOCK_BYTES ? sha256.digest(key) : key, BLOCK_BYTES);
    innerPad = pad(block, 0x36);
    outerPad = pad(block, 0x5c);
    sha256.update(innerPad);
  }

  /// By the provider that is asked first now.
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must have SHA-256", e);
    }
  }

  Hmac update(byte[] bytes) {
    sha256.update(bytes);
    return this;
  }

  Hmac update(ByteBuffer bytes) {
    sha256.update(bytes);
    return this;
  }

  /// The code of all that [#update] took since the last call, good until the next. The array is
  /// this object's own.
  byte[] finish() {
    try {
      sha256.digest(result, 0, BYTES);
      sha256.update(outerPad);
      sha256.update(result);
      sha256.digest(result, 0, BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 is " + BYTES + " bytes", e);
    }
    sha256.update(innerPad);
    return result;
  }

  private static byte[] pad(byte[] block, int with) {
    byte[] pad = new byte[BLOCK_BYTES];
    for (int i = 0; i < BLOCK_BYTES; i++) {
      pad[i] = (byte) (block[i] ^ with);
    }
    return pad;
  }
}

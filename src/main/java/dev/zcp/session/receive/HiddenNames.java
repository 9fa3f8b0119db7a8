package dev.zcp.session.receive;

import dev.zcp.core.SipHash;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.wire.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The names of what is kept of a file that has not all its bytes yet, beside its place:
/// `.zcp-HEX.part` and `.zcp-HEX.journal`, of the first 16 hexadecimal digits of the SHA-256 of its
/// own name. So the next session finds them.
///
/// @param digest the SHA-256: other names may begin with the same digits
record HiddenNames(Bytes digest, byte[] part, byte[] journal) {

  static final int DIGEST_BYTES = 32;

  /// A key, so that the digest is no resumable file's.
  private static final long PASSING = 1;

  /// The name of what nobody can go on with: `.zcp-HEX.part`, of another digest of its own name.
  static byte[] passing(byte[] name) {
    return HiddenName.part(SipHash.of(PASSING, 0, name));
  }

  static HiddenNames of(byte[] name) {
    byte[] digest;
    try {
      digest = MessageDigest.getInstance("SHA-256").digest(name);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
    long digits = ByteBuffer.wrap(digest).getLong();
    return new HiddenNames(Bytes.of(digest), HiddenName.part(digits), HiddenName.journal(digits));
  }
}

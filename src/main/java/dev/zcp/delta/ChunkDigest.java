package dev.zcp.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What the chunks of a file are found by: the first 8 bytes of the tag that AES-128-GCM (NIST SP
/// 800-38D) gives for them, with the file's seed as key and a nonce of zeros. Used by one thread,
/// for any number of files.
///
/// That is several times as fast as a hash that needs no key, and nobody who does not know the key
/// can prepare chunks that share a tag. To keep a secret or to authenticate, each chunk would need
/// a nonce of its own; here it does neither.
final class ChunkDigest {

  private static final int TAG_BYTES = 16;
  private static final GCMParameterSpec NONCE = nonce(0);

  /// A cipher refuses the nonce that it had last.
  private static final GCMParameterSpec OTHER_NONCE = nonce(1);

  private final Cipher gcm;
  private SecretKeySpec key;

  /// The encrypted chunk, which nobody reads, and its tag.
  private ByteBuffer sealed = ByteBuffer.allocate(0);

  /// @param gcm AES/GCM/NoPadding
  ChunkDigest(Cipher gcm) {
    this.gcm = gcm;
  }

  private static GCMParameterSpec nonce(int first) {
    byte[] nonce = new byte[12];
    nonce[0] = (byte) first;
    return new GCMParameterSpec(8 * TAG_BYTES, nonce);
  }

  /// Turns to a file.
  ///
  /// @param seed 16 bytes
  void open(byte[] seed, int chunkBytesMax) {
    key = new SecretKeySpec(seed, "AES");
    if (sealed.capacity() < chunkBytesMax + TAG_BYTES) {
      sealed = ByteBuffer.allocateDirect(chunkBytesMax + TAG_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /// That of what remains in `chunk`, as a little-endian number. Nothing remains then.
  long of(ByteBuffer chunk) {
    int length = chunk.remaining();
    try {
      gcm.init(Cipher.ENCRYPT_MODE, key, OTHER_NONCE);
      gcm.init(Cipher.ENCRYPT_MODE, key, NONCE);
      gcm.doFinal(chunk, sealed.clear());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM takes any key of 16 bytes", e);
    }
    return sealed.getLong(length);
  }
}

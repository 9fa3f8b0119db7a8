package dev.zcp.session;

import dev.zcp.core.Crc32c;
import dev.zcp.insight.Samples;
import dev.zcp.insight.Stage;
import dev.zcp.secure.Cryptography;
import dev.zcp.wire.Digest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/// The digests of a block: its CRC32C, since that of the whole file is put together from those of
/// its blocks, and what the two ends compare it by. Belongs to one thread at a time.
public final class Checksum {

  private final Crc32c crc = new Crc32c();

  /// Null if the CRC32C is what is compared.
  private final MessageDigest sha256;

  /// @param crc32c of the bytes
  /// @param compared their digest by the algorithm that was agreed on
  public record Sum(int crc32c, Digest compared) {}

  /// @param algorithm not NONE
  public Checksum(Digest.Algorithm algorithm) {
    sha256 = algorithm == Digest.Algorithm.SHA256 ? Cryptography.sha256() : null;
  }

  /// The SHA-256 of what is left of `bytes`, which stays.
  ///
  /// @param samples told how long it took
  public static Digest sha256(ByteBuffer bytes, Samples samples) {
    long startedNs = System.nanoTime();
    MessageDigest digest = Cryptography.sha256();
    digest.update(bytes.duplicate());
    Digest sum = Digest.sha256(digest.digest());
    samples.sample(Stage.DIGEST, System.nanoTime() - startedNs);
    return sum;
  }

  /// As the report tells of it.
  public static String label(Digest.Algorithm algorithm) {
    return switch (algorithm) {
      case NONE -> "nothing";
      case CRC32C -> "CRC32C";
      case SHA256 -> "SHA-256";
    };
  }

  /// What proves files that were there before, for the report.
  ///
  /// @param where they were read, as the user sees it
  public static String labelOfPresent(Digest.Algorithm agreed, String where) {
    String digest = agreed == Digest.Algorithm.SHA256 ? "SHA-256" : "CRC32C";
    return digest + " of each file that was there before, read " + where + " again";
  }

  public void reset() {
    crc.reset();
    if (sha256 != null) {
      sha256.reset();
    }
  }

  /// Takes what is left of `bytes`, which is nothing afterwards.
  public void update(ByteBuffer bytes) {
    if (sha256 != null) {
      sha256.update(bytes.duplicate());
    }
    crc.update(bytes);
  }

  /// Of all bytes since the last [#reset], which is due after it.
  public Sum sum() {
    int crc32c = crc.value();
    Digest compared = sha256 == null ? Digest.crc32c(crc32c) : Digest.sha256(sha256.digest());
    return new Sum(crc32c, compared);
  }
}

package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.wire.Done;
import dev.zcp.wire.Level;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Offered;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// What both ends count of the entries that are over, and well, and compare in their last words.
///
/// Each entry has a SHA-256 of its kind, its path, its size and the CRC32C of its bytes; the digest
/// of the tree is all of these, one bit against the other, so that it does not matter in what order
/// they were over. No entry may count twice: a pair would leave no trace.
final class TreeDigest {

  private static final int FIXED_BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;

  private final byte[] sum = new byte[Limits.TREE_DIGEST_BYTES];
  private final MessageDigest sha256;
  private long entries;
  private long bytes;

  TreeDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      // Every Java platform has it: see MessageDigest.
      throw new IllegalStateException(e);
    }
  }

  /// @param size of a regular file; else 0
  /// @param crc32c of its bytes; 0 where it is not known
  void add(Offered entry, long size, int crc32c) {
    byte[] path = entry.path().bytes();
    ByteBuffer record =
        ByteBuffer.allocate(FIXED_BYTES + path.length).order(ByteOrder.LITTLE_ENDIAN);
    record.put((byte) entry.kind().ordinal()).putInt(path.length).put(path);
    record.putLong(size).putInt(crc32c);
    byte[] digest = sha256.digest(record.array());
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= digest[i];
    }
    entries++;
    bytes += size;
  }

  /// The last word of an end that counted this.
  Done done(ExitCode exitCode, long losses, Level reached, String text) {
    return new Done(exitCode, entries, bytes, losses, reached, Octets.of(sum), text);
  }

  boolean agreesWith(Done done) {
    return done.entries() == entries
        && done.bytes() == bytes
        && MessageDigest.isEqual(done.digest().bytes(), sum);
  }
}

package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.SipHash;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// What both ends count of the entries that are over, and well, and compare in their last words.
///
/// Each entry has a [SipHash] of its kind, its path, its size and the CRC32C of its bytes; the
/// digest of the tree is the sum of all these, so that it does not matter in what order they were
/// over. Not one bit against the other, where a pair would leave no trace; nor CRCs, which are
/// linear: two files that changed places would not show in their sum.
final class TreeDigest {

  private static final int FIXED_BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;

  private long sum;
  private long entries;
  private long bytes;

  /// @param size of a regular file; else 0
  /// @param crc32c of its bytes; 0 if it is not known
  void add(Offered entry, long size, int crc32c) {
    EntryPath path = entry.path();
    ByteBuffer record =
        ByteBuffer.allocate(FIXED_BYTES + path.length()).order(ByteOrder.LITTLE_ENDIAN);
    record.put((byte) entry.kind().ordinal()).putInt(path.length());
    path.put(record);
    record.putLong(size).putInt(crc32c);
    sum += SipHash.of(0, 0, record.array());
    entries++;
    bytes += size;
  }

  void add(TreeDigest more) {
    sum += more.sum;
    entries += more.entries;
    bytes += more.bytes;
  }

  /// @param hash of a file: see [FileHash]
  void add(long hash, long size) {
    sum += hash;
    entries++;
    bytes += size;
  }

  long bytes() {
    return bytes;
  }

  /// The last word of an end that counted this.
  Done done(ExitCode exitCode, Level reached, String text, boolean isEarly) {
    return new Done(exitCode, entries, bytes, reached, digest(), text, isEarly);
  }

  boolean agreesWith(Done done) {
    return done.entries() == entries && done.bytes() == bytes && done.digest().equals(digest());
  }

  private Bytes digest() {
    return Bytes.of(
        ByteBuffer.allocate(Limits.TREE_DIGEST_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(sum)
            .array());
  }
}

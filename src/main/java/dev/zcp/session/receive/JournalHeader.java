package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;

/// What a [Journal] begins with: which file it speaks of. [#BYTES] bytes, integers little-endian:
/// magic (8), SHA-256 of the name (32), size (8), identity (16), boot id (16), inode (8), salt (8),
/// CRC32C of all that (4).
///
/// @param name the SHA-256 of the file's name
/// @param size of the whole file, in bytes
/// @param identity of the source, as its sender told
/// @param boot see [BootId]
/// @param inode of the partial file: another file under its name has other bytes
/// @param salt in the check of each record, so that no other journal's records pass
record JournalHeader(Bytes name, long size, Bytes identity, Bytes boot, long inode, long salt) {

  static final int BYTES =
      8 + HiddenNames.DIGEST_BYTES + 8 + Limits.IDENTITY_BYTES + BootId.BYTES + 8 + 8 + 4;

  /// `zcpjrnl` and the version.
  private static final long MAGIC = 0x01_6c_6e_72_6a_70_63_7aL;

  /// Of a journal that begins now.
  static JournalHeader fresh(Bytes name, long size, Bytes identity, long inode) {
    long salt = ThreadLocalRandom.current().nextLong();
    return new JournalHeader(name, size, identity, BootId.now(), inode, salt);
  }

  void write(ByteBuffer target) {
    int start = target.position();
    target.order(ByteOrder.LITTLE_ENDIAN).putLong(MAGIC);
    target.put(name.bytes()).putLong(size).put(identity.bytes()).put(boot.bytes());
    target.putLong(inode).putLong(salt);
    target.putInt(Crc32c.of(target.duplicate().flip().position(start)));
  }

  /// @return null if there is no header of this version
  static JournalHeader read(ByteBuffer bytes) {
    if (bytes.remaining() < BYTES) {
      return null;
    }
    int checked = BYTES - Integer.BYTES;
    int found = Crc32c.of(bytes.duplicate().limit(bytes.position() + checked));
    if (bytes.order(ByteOrder.LITTLE_ENDIAN).getLong() != MAGIC) {
      return null;
    }
    JournalHeader header =
        new JournalHeader(
            octets(bytes, HiddenNames.DIGEST_BYTES),
            bytes.getLong(),
            octets(bytes, Limits.IDENTITY_BYTES),
            octets(bytes, BootId.BYTES),
            bytes.getLong(),
            bytes.getLong());
    return bytes.getInt() == found ? header : null;
  }

  /// Whether a journal that begins so speaks of the same bytes as this one would.
  boolean isOfSameFile(JournalHeader other) {
    return size == other.size
        && inode == other.inode
        && name.equals(other.name)
        && identity.equals(other.identity);
  }

  private static Bytes octets(ByteBuffer bytes, int count) {
    byte[] some = new byte[count];
    bytes.get(some);
    return Bytes.of(some);
  }
}

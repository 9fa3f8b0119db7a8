package dev.zcp.exchange;

import dev.zcp.core.SipHash;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// What files count for in the digest of the tree, one after the other: the [SipHash] of kind,
/// path, size and CRC32C, as PROTOCOL.md has it. Belongs to one thread.
public final class FileHash {

  private static final int FIXED_BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;
  private static final int NAME_BYTES_MAX = 255;

  private EntryPath directory;

  /// Where the name begins in the record.
  private int nameAt;

  private ByteBuffer record;

  /// @param newDirectory in which the files are from now on
  public void in(EntryPath newDirectory) {
    directory = newDirectory;
    int pathBytes = directory.isTop() ? 0 : directory.length() + 1;
    int bytes = FIXED_BYTES + pathBytes + NAME_BYTES_MAX;
    if (record == null || record.capacity() < bytes) {
      record = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    record.clear().put((byte) EntryKind.FILE.ordinal()).putInt(0);
    if (pathBytes > 0) {
      directory.put(record);
      record.put((byte) '/');
    }
    nameAt = record.position();
  }

  /// @param crc32c 0 if nothing is proved
  public long of(byte[] name, long size, int crc32c) {
    int pathAt = 1 + Integer.BYTES;
    record.putInt(1, nameAt - pathAt + name.length);
    record.position(nameAt);
    record.put(name).putLong(size).putInt(crc32c);
    return SipHash.of(0, 0, record.array(), record.position());
  }
}

package dev.zcp.exchange;

import dev.zcp.core.LittleEndian;
import dev.zcp.core.SipHash;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import java.nio.ByteBuffer;

/// What files count for in the digest of the tree, one after the other: the [SipHash] of kind,
/// path, size and CRC32C, as PROTOCOL.md has it. Belongs to one thread.
public final class FileHash {

  private static final int FIXED_BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;
  private static final int NAME_BYTES_MAX = 255;

  private static final int PATH_AT = 1 + Integer.BYTES;

  /// Where the name begins in the record.
  private int nameAt;

  private byte[] record = {};

  /// @param directory in which the files are from now on
  public void in(EntryPath directory) {
    int pathBytes = directory.isTop() ? 0 : directory.length() + 1;
    nameAt = PATH_AT + pathBytes;
    int bytes = FIXED_BYTES + pathBytes + NAME_BYTES_MAX;
    if (record.length < bytes) {
      record = new byte[bytes];
    }
    record[0] = (byte) EntryKind.FILE.ordinal();
    if (pathBytes > 0) {
      directory.put(ByteBuffer.wrap(record).position(PATH_AT));
      record[nameAt - 1] = '/';
    }
  }

  /// @param crc32c 0 if nothing is proved
  public long of(byte[] name, long size, int crc32c) {
    int end = nameAt + name.length;
    LittleEndian.putInt(record, 1, end - PATH_AT);
    System.arraycopy(name, 0, record, nameAt, name.length);
    LittleEndian.putLong(record, end, size);
    LittleEndian.putInt(record, end + Long.BYTES, crc32c);
    return SipHash.of(0, 0, record, end + Long.BYTES + Integer.BYTES);
  }
}

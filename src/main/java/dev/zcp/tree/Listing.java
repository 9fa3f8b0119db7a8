package dev.zcp.tree;

import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Reads directories, one after the other, a buffer of entries at a time: getdents64(2). It belongs
/// to one thread, which reuses it.
///
/// `.` and `..` are left out. The order is the file system's.
public final class Listing {

  /// Enough for about a thousand names at a call.
  private static final int BUFFER_BYTES = 32 << 10;

  // struct linux_dirent64 of linux/dirent.h.
  private static final int OFFSET_AT = 8;
  private static final int LENGTH_AT = 16;
  private static final int TYPE_AT = 18;
  private static final int NAME_AT = 19;

  /// d_type is the type's bits of `st_mode`, twelve places to the right: readdir(3).
  private static final int TYPE_SHIFT = 12;

  /// The type of an entry whose file system does not tell it: ask for its status.
  public static final int UNKNOWN = 0;

  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.nativeOrder());

  private int end;
  private int next;
  private int entry;

  /// Begins at `position`, which [#position] gave for this very directory, or 0.
  public void begin(OpenDirectory directory, long position) throws IOException {
    end = 0;
    next = 0;
    long result = Entries.seek(directory.descriptor(), position);
    if (result < 0) {
      throw Errno.failure((int) -result);
    }
  }

  /// Reads the next entries of `directory`, when all before were taken by [#next].
  ///
  /// @return false at its end
  public boolean fill(OpenDirectory directory) throws IOException {
    int filled = Entries.getdents64(directory.descriptor(), buffer);
    if (filled < 0) {
      throw Errno.failure(-filled);
    }
    end = filled;
    next = 0;
    return filled > 0;
  }

  /// Goes on to the next entry that was read.
  ///
  /// @return false if there is none left
  public boolean next() {
    while (next < end) {
      entry = next;
      next += buffer.getShort(entry + LENGTH_AT) & 0xffff;
      if (!isDots()) {
        return true;
      }
    }
    return false;
  }

  /// Goes on to the next entry of `directory`, and reads more of them when all were taken.
  ///
  /// @return false at its end
  public boolean next(OpenDirectory directory) throws IOException {
    boolean isThere = next();
    while (!isThere && fill(directory)) {
      isThere = next();
    }
    return isThere;
  }

  /// The name of the current entry.
  public byte[] name() {
    int start = entry + NAME_AT;
    int stop = start;
    while (buffer.get(stop) != 0) {
      stop++;
    }
    byte[] name = new byte[stop - start];
    buffer.get(start, name);
    return name;
  }

  /// Its type, one of [FileType]'s, or [#UNKNOWN].
  public int type() {
    return (buffer.get(entry + TYPE_AT) & 0xff) << TYPE_SHIFT;
  }

  /// Where to begin again to go on after the current entry.
  public long position() {
    return buffer.getLong(entry + OFFSET_AT);
  }

  private boolean isDots() {
    int at = entry + NAME_AT;
    if (buffer.get(at) != '.') {
      return false;
    }
    byte second = buffer.get(at + 1);
    return second == 0 || second == '.' && buffer.get(at + 2) == 0;
  }
}

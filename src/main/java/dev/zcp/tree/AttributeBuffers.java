package dev.zcp.tree;

import dev.zcp.linux.Errno;
import java.nio.ByteBuffer;

/// What the kernel writes names and values of extended attributes to. Belongs to one thread.
final class AttributeBuffers {

  /// XATTR_LIST_MAX and XATTR_SIZE_MAX of `linux/limits.h`: no longer list or value can be read.
  private static final int LIST_BYTES_MAX = 64 << 10;

  private static final int VALUE_BYTES_MAX = 64 << 10;

  /// Enough for the names that most files have.
  private static final int LIST_BYTES = 1 << 10;

  private ByteBuffer list = ByteBuffer.allocateDirect(LIST_BYTES);

  /// Null until a file has an attribute.
  private ByteBuffer value;

  /// @return the length of the list, or minus the error number
  int list(AttributeSource source) {
    int length = source.listAttributes(list);
    if (length == -Errno.ERANGE && list.capacity() < LIST_BYTES_MAX) {
      list = ByteBuffer.allocateDirect(LIST_BYTES_MAX);
      length = source.listAttributes(list);
    }
    return length;
  }

  byte[] names(int length) {
    byte[] names = new byte[length];
    list.get(0, names);
    return names;
  }

  ByteBuffer value() {
    if (value == null) {
      value = ByteBuffer.allocateDirect(VALUE_BYTES_MAX);
    }
    return value;
  }
}

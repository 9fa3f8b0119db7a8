package dev.zcp.tree;

import dev.zcp.linux.Errno;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads those extended attributes of one file after the other that a copy is to have: xattr(7).
/// One system call for a file that has none. Belongs to one thread.
///
/// It takes every name that the file lists: those of `user.`, of `security.` if somebody set them,
/// and as root of `trusted.`; and the access control lists, which the kernel shows as attributes.
/// Four kinds stay behind, as with cp(1) and its xattr.conf(5): what else there is below `system.`,
/// where NFSv4 shows its own lists, which mean nothing elsewhere; `security.evm`, which the kernel
/// makes of the very file; the second name that XFS has for its lists, `trusted.SGI_`; and `afs.`.
public final class AttributeReader {

  /// XATTR_LIST_MAX and XATTR_SIZE_MAX of `linux/limits.h`: no longer list or value can be read.
  private static final int BYTES_MAX = 64 << 10;

  /// Enough for the names that most files have.
  private static final int LIST_BYTES = 1 << 10;

  private static final byte[][] LEFT_BEHIND = {
    ascii("system."), ascii("security.evm"), ascii("trusted.SGI_"), ascii("afs.")
  };

  private static final byte[] NONE = {};

  private final boolean keepsAttributes;
  private final boolean keepsLists;
  private ByteBuffer list = ByteBuffer.allocateDirect(LIST_BYTES);

  /// Null until a file has an attribute.
  private ByteBuffer value;

  private AttributeSource source;
  private byte[] names;
  private int at;
  private boolean isAtLists;

  /// @param keepsAttributes whether those are read that are no access control lists
  /// @param keepsLists whether access control lists are read
  public AttributeReader(boolean keepsAttributes, boolean keepsLists) {
    this.keepsAttributes = keepsAttributes;
    this.keepsLists = keepsLists;
  }

  /// Begins with another file. If its names cannot be listed, [#next] gives none.
  ///
  /// @return 0, or minus the error number
  public int begin(AttributeSource file) {
    source = file;
    names = NONE;
    at = 0;
    isAtLists = false;
    int length = file.listAttributes(list);
    if (length == -Errno.ERANGE && list.capacity() < BYTES_MAX) {
      list = ByteBuffer.allocateDirect(BYTES_MAX);
      length = file.listAttributes(list);
    }
    if (length > 0) {
      names = new byte[length];
      list.get(0, names);
    }
    // A file system without attributes has none of this file.
    return length < 0 && length != -Errno.EOPNOTSUPP ? length : 0;
  }

  /// The next name that is to be kept; null after the last one. Lists come last: the owner of a
  /// file whose list denies them to write can give it no attribute.
  public byte[] next() {
    while (at < names.length) {
      int start = at;
      while (at < names.length && names[at] != 0) {
        at++;
      }
      byte[] name = Arrays.copyOfRange(names, start, at);
      at++;
      boolean isKept =
          isAtLists ? keepsLists : keepsAttributes && !beginsWithAny(name, LEFT_BEHIND);
      if (isKept && AccessList.isOne(name) == isAtLists) {
        return name;
      }
    }
    if (isAtLists) {
      return null;
    }
    isAtLists = true;
    at = 0;
    return next();
  }

  /// Reads the value of `name` into [#value].
  ///
  /// @return its length, or minus the error number: `-ENODATA` if there is none any more
  public int read(byte[] name) {
    return read(source, name);
  }

  /// As [#read], of a file that [#begin] was not called for.
  public int read(AttributeSource file, byte[] name) {
    int length = file.attribute(name, value());
    if (length >= 0) {
      value.position(0).limit(length);
    }
    return length;
  }

  /// What remains of it was read last.
  public ByteBuffer value() {
    if (value == null) {
      value = ByteBuffer.allocateDirect(BYTES_MAX);
    }
    return value;
  }

  /// A copy of what was read last.
  public byte[] bytes() {
    byte[] bytes = new byte[value.remaining()];
    value.get(0, bytes);
    return bytes;
  }

  /// Whether a name begins with one of these.
  public static boolean beginsWithAny(byte[] name, byte[][] prefixes) {
    for (byte[] prefix : prefixes) {
      if (name.length >= prefix.length
          && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

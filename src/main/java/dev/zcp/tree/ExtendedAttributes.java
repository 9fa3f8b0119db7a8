package dev.zcp.tree;

import dev.zcp.core.PerThread;
import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Copies extended attributes, and the access control lists that the kernel shows as such:
/// xattr(7), acl(5). One system call for a file that has none. Any thread may call it.
///
/// It takes every name that the source lists: those of `user.`, of `security.` where somebody set
/// them, and as root of `trusted.`. Four kinds stay behind, as with cp(1) and its xattr.conf(5):
/// what else there is below `system.`, where NFSv4 shows its own lists, which mean nothing
/// elsewhere; `security.evm`, which the kernel makes of the very file; the second name that XFS has
/// for its lists, `trusted.SGI_`; and `afs.`.
final class ExtendedAttributes {

  /// A file system with less room than this is full, and not just short of room for attributes.
  private static final long ROOM_BYTES = 1 << 20;

  private static final byte[] SYSTEM = ascii("system.");

  private static final byte[][] LEFT_BEHIND = {
    SYSTEM, ascii("security.evm"), ascii("trusted.SGI_"), ascii("afs.")
  };

  private final boolean keepsAttributes;
  private final boolean keepsLists;
  private final PerThread<AttributeBuffers> buffers = new PerThread<>(AttributeBuffers::new);

  /// @param keepsLists whether access control lists are copied
  ExtendedAttributes(boolean keepsAttributes, boolean keepsLists) {
    this.keepsAttributes = keepsAttributes;
    this.keepsLists = keepsLists;
  }

  /// Copies what is to be kept.
  ///
  /// @return which access control lists the target got, and what its mode must not give where it
  ///   got none
  Lists copy(AttributeSource source, MetadataWriter target) throws IOException {
    if (!keepsAttributes && !keepsLists) {
      return Lists.NONE;
    }
    AttributeBuffers mine = buffers.get();
    int length = mine.list(source);
    if (length <= 0) {
      if (length < 0 && length != -Errno.EOPNOTSUPP) {
        target.refused(Loss.Kind.XATTR, -length, "");
      }
      return Lists.NONE;
    }
    Lists lists = Lists.NONE;
    byte[] names = mine.names(length);
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (names[i] == 0) {
        byte[] name = Arrays.copyOfRange(names, start, i);
        start = i + 1;
        if (Arrays.equals(name, AccessList.ACCESS)) {
          lists = keepsLists ? access(source, target, lists, mine.value()) : lists;
        } else if (Arrays.equals(name, AccessList.DEFAULT)) {
          lists = keepsLists ? byDefault(source, target, lists, mine.value()) : lists;
        } else if (keepsAttributes && !isLeftBehind(name)) {
          attribute(source, target, name, mine.value());
        }
      }
    }
    return lists;
  }

  private void attribute(
      AttributeSource source, MetadataWriter target, byte[] name, ByteBuffer value)
      throws IOException {
    if (read(source, target, Loss.Kind.XATTR, name, value)) {
      int result = target.target().setAttribute(name, value);
      if (result == -Errno.ENOSPC && hasRoom(target.target())) {
        target.lost(Loss.Kind.XATTR, Printable.of(name) + ": more than the file system keeps");
      } else if (result < 0) {
        target.refused(Loss.Kind.XATTR, -result, Printable.of(name) + ": ");
      }
    }
  }

  private Lists access(AttributeSource source, MetadataWriter target, Lists lists, ByteBuffer value)
      throws IOException {
    if (!read(source, target, Loss.Kind.ACL, AccessList.ACCESS, value)
        || !AccessList.saysMoreThanMode(value)) {
      return lists;
    }
    return give(target, lists, value);
  }

  /// Gives the target the access control list of a file that it is to replace.
  ///
  /// @return as [#copy]
  Lists retain(Handle replaced, MetadataWriter target) throws IOException {
    ByteBuffer value = buffers.get().value();
    int length = replaced.attribute(AccessList.ACCESS, value);
    if (length == -Errno.ENODATA || length == -Errno.EOPNOTSUPP) {
      return Lists.NONE;
    }
    if (length < 0) {
      // What the group may do, only the list could have told.
      target.refused(Loss.Kind.ACL, -length, "");
      return Lists.NONE.without(0);
    }
    value.position(0).limit(length);
    return AccessList.saysMoreThanMode(value) ? give(target, Lists.NONE, value) : Lists.NONE;
  }

  private static Lists give(MetadataWriter target, Lists lists, ByteBuffer value)
      throws IOException {
    int result = target.target().setAttribute(AccessList.ACCESS, value);
    if (result >= 0) {
      return lists.withAccess();
    }
    target.refused(Loss.Kind.ACL, -result, "");
    return lists.without(AccessList.groupPermissions(value));
  }

  private Lists byDefault(
      AttributeSource source, MetadataWriter target, Lists lists, ByteBuffer value)
      throws IOException {
    if (!read(source, target, Loss.Kind.ACL, AccessList.DEFAULT, value)) {
      return lists;
    }
    int result = target.target().setAttribute(AccessList.DEFAULT, value);
    if (result < 0) {
      target.refused(Loss.Kind.ACL, -result, "");
    }
    return lists.withDefault();
  }

  /// Reads an attribute of the source.
  ///
  /// @return whether there is still one
  private static boolean read(
      AttributeSource source, MetadataWriter target, Loss.Kind kind, byte[] name, ByteBuffer value)
      throws IOException {
    int length = source.attribute(name, value);
    if (length == -Errno.ENODATA) {
      return false;
    }
    if (length < 0) {
      target.refused(kind, -length, Printable.of(name) + ": ");
      return false;
    }
    value.position(0).limit(length);
    return true;
  }

  /// ext4 keeps a file's attributes in one block and says ENOSPC of those that do not fit there,
  /// with terabytes left.
  private static boolean hasRoom(Handle target) throws IOException {
    Path path = Path.of("/proc/self/fd/" + target.neighbour());
    return Files.getFileStore(path).getUsableSpace() >= ROOM_BYTES;
  }

  /// Whether an attribute of this name is never copied.
  static boolean isLeftBehind(byte[] name) {
    for (byte[] prefix : LEFT_BEHIND) {
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

  /// Which access control lists a target has got.
  ///
  /// @param access whether it has one of its own
  /// @param byDefault whether it has one for what is made in it
  /// @param groupDenied permission bits of a mode that its group must not get, since the source's
  ///   list denies them and could not be set
  record Lists(boolean access, boolean byDefault, int groupDenied) {

    static final Lists NONE = new Lists(false, false, 0);

    Lists withAccess() {
      return new Lists(true, byDefault, groupDenied);
    }

    Lists withDefault() {
      return new Lists(access, true, groupDenied);
    }

    /// @param permissions what the group may do, 0 to 7
    Lists without(int permissions) {
      return new Lists(access, byDefault, (~permissions & 07) << 3);
    }
  }
}

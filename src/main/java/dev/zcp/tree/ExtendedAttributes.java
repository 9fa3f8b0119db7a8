package dev.zcp.tree;

import dev.zcp.core.PerThread;
import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Extents;
import dev.zcp.tree.Losses.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Copies extended attributes, and the access control lists that the kernel shows as such:
/// xattr(7), acl(5). Any thread may call it.
final class ExtendedAttributes {

  /// A file system with less room than this is full, and not just short of room for attributes.
  private static final long ROOM_BYTES = 1 << 20;

  private final boolean isNeeded;
  private final PerThread<AttributeReader> readers;

  /// @param keepsLists whether access control lists are copied
  ExtendedAttributes(boolean keepsAttributes, boolean keepsLists) {
    this.isNeeded = keepsAttributes || keepsLists;
    this.readers = new PerThread<>(() -> new AttributeReader(keepsAttributes, keepsLists));
  }

  /// Copies what is to be kept.
  ///
  /// @return which access control lists the target got, and what its mode must not give if it got
  ///   none
  GivenLists copy(AttributeSource source, MetadataWriter target) throws IOException {
    if (!isNeeded) {
      return GivenLists.NONE;
    }
    AttributeReader reader = readers.get();
    int result = reader.begin(source);
    if (result < 0) {
      target.refused(Loss.LossKind.XATTR, -result, "");
    }
    GivenLists lists = GivenLists.NONE;
    for (byte[] name = reader.next(); name != null; name = reader.next()) {
      int length = reader.read(name);
      if (length < 0) {
        if (length != -Errno.ENODATA) {
          target.refused(AccessList.kindOf(name), -length, Printable.of(name) + ": ");
        }
      } else if (Arrays.equals(name, AccessList.ACCESS)) {
        lists = giveList(target, lists, reader.value());
      } else if (Arrays.equals(name, AccessList.DEFAULT)) {
        giveDefault(target, reader.value());
        lists = lists.withDefault();
      } else {
        give(target, name, reader.value());
      }
    }
    return lists;
  }

  private static void give(MetadataWriter target, byte[] name, ByteBuffer value)
      throws IOException {
    int result = target.target().setAttribute(name, value);
    if (result == -Errno.ENOSPC && hasRoom(target.target())) {
      target.lost(Loss.LossKind.XATTR, Printable.of(name) + ": more than the file system keeps");
    } else if (result < 0) {
      target.refused(Loss.LossKind.XATTR, -result, Printable.of(name) + ": ");
    }
  }

  private static void giveDefault(MetadataWriter target, ByteBuffer value) throws IOException {
    int result = target.target().setAttribute(AccessList.DEFAULT, value);
    if (result < 0) {
      target.refused(Loss.LossKind.ACL, -result, "");
    }
  }

  /// Gives the target the access control list of a file that it is to replace.
  ///
  /// @return as [#copy]
  GivenLists retain(Handle replaced, MetadataWriter target) throws IOException {
    AttributeReader reader = readers.get();
    int length = reader.read(replaced, AccessList.ACCESS);
    if (length == -Errno.ENODATA || length == -Errno.EOPNOTSUPP) {
      return GivenLists.NONE;
    }
    if (length < 0) {
      // What the group may do, only the list could have told.
      target.refused(Loss.LossKind.ACL, -length, "");
      return GivenLists.NONE.without(0);
    }
    return giveList(target, GivenLists.NONE, reader.value());
  }

  /// @param list an access control list, given if it says more than a mode can
  private static GivenLists giveList(MetadataWriter target, GivenLists lists, ByteBuffer list)
      throws IOException {
    if (!AccessList.saysMoreThanMode(list)) {
      return lists;
    }
    int result = target.target().setAttribute(AccessList.ACCESS, list);
    if (result >= 0) {
      return lists.withAccess();
    }
    target.refused(Loss.LossKind.ACL, -result, "");
    return lists.without(AccessList.groupPermissions(list));
  }

  /// ext4 keeps a file's attributes in one block and says ENOSPC of those that do not fit there,
  /// with terabytes left.
  private static boolean hasRoom(Handle target) {
    long[] room = new long[3];
    return Extents.fstatfs(target.neighbour(), room) == 0 && room[0] >= ROOM_BYTES;
  }

  /// Which access control lists a target has got.
  ///
  /// @param access whether it has one of its own
  /// @param byDefault whether it has one for what is made in it
  /// @param groupDenied permission bits of a mode that its group must not get, since the source's
  ///   list denies them and could not be set
  record GivenLists(boolean access, boolean byDefault, int groupDenied) {

    static final GivenLists NONE = new GivenLists(false, false, 0);

    GivenLists withAccess() {
      return new GivenLists(true, byDefault, groupDenied);
    }

    GivenLists withDefault() {
      return new GivenLists(access, true, groupDenied);
    }

    /// @param permissions what the group may do, 0 to 7
    GivenLists without(int permissions) {
      return new GivenLists(access, byDefault, (~permissions & 07) << 3);
    }
  }

  /// A POSIX access control list as the kernel has it in an attribute: a version of four bytes,
  /// then eight for each entry, the lower byte first (`linux/posix_acl_xattr.h`). See acl(5).
  static final class AccessList {

    /// Who may do what with the file.
    static final byte[] ACCESS = "system.posix_acl_access".getBytes(StandardCharsets.US_ASCII);

    /// What files that are made in the directory get.
    static final byte[] DEFAULT = "system.posix_acl_default".getBytes(StandardCharsets.US_ASCII);

    private static final int HEAD_BYTES = 4;
    private static final int ENTRY_BYTES = 8;

    /// User, group, others: all that a list must have, and all that a mode can say.
    private static final int MODE_ENTRIES = 3;

    private static final int TAG_GROUP = 0x04;
    private static final int TAG_MASK = 0x10;
    private static final int EVERYTHING = 07;

    private AccessList() {}

    static boolean isOne(byte[] attribute) {
      return Arrays.equals(attribute, ACCESS) || Arrays.equals(attribute, DEFAULT);
    }

    /// The kind of loss that an attribute is if it cannot be kept.
    static Loss.LossKind kindOf(byte[] attribute) {
      return isOne(attribute) ? Loss.LossKind.ACL : Loss.LossKind.XATTR;
    }

    /// Whether the list names users or groups, which no mode can.
    static boolean saysMoreThanMode(ByteBuffer list) {
      return list.remaining() > HEAD_BYTES + MODE_ENTRIES * ENTRY_BYTES;
    }

    /// What the file's group may do, 0 to 7. If there is a list, a mode does not tell: in place of
    /// the group's rights it shows what all who are named may do at most.
    static int groupPermissions(ByteBuffer list) {
      ByteBuffer entries = list.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      int group = 0;
      int mask = EVERYTHING;
      int start = entries.position() + HEAD_BYTES;
      for (int at = start; at + ENTRY_BYTES <= entries.limit(); at += ENTRY_BYTES) {
        int permissions = entries.getShort(at + Short.BYTES);
        switch (entries.getShort(at)) {
          case TAG_GROUP -> group = permissions;
          case TAG_MASK -> mask = permissions;
          default -> {
            // Somebody else's.
          }
        }
      }
      return group & mask & EVERYTHING;
    }
  }
}

package dev.zcp.tree;

import dev.zcp.tree.Losses.Loss;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A POSIX access control list as the kernel has it in an attribute: a version of four bytes, then
/// eight for each entry, the lower byte first (`linux/posix_acl_xattr.h`). See acl(5).
public final class AccessList {

  /// Who may do what with the file.
  public static final byte[] ACCESS = "system.posix_acl_access".getBytes(StandardCharsets.US_ASCII);

  /// What files that are made in the directory get.
  public static final byte[] DEFAULT =
      "system.posix_acl_default".getBytes(StandardCharsets.US_ASCII);

  private static final int HEAD_BYTES = 4;
  private static final int ENTRY_BYTES = 8;

  /// User, group, others: all that a list must have, and all that a mode can say.
  private static final int MODE_ENTRIES = 3;

  private static final int TAG_GROUP = 0x04;
  private static final int TAG_MASK = 0x10;
  private static final int EVERYTHING = 07;

  private AccessList() {}

  public static boolean isOne(byte[] attribute) {
    return Arrays.equals(attribute, ACCESS) || Arrays.equals(attribute, DEFAULT);
  }

  /// The kind of loss that an attribute is if it cannot be kept.
  public static Loss.LossKind kindOf(byte[] attribute) {
    return isOne(attribute) ? Loss.LossKind.ACL : Loss.LossKind.XATTR;
  }

  /// Whether the list names users or groups, which no mode can.
  public static boolean saysMoreThanMode(ByteBuffer list) {
    return list.remaining() > HEAD_BYTES + MODE_ENTRIES * ENTRY_BYTES;
  }

  /// What the file's group may do, 0 to 7. If there is a list, a mode does not tell: in place of
  /// the group's rights it shows what all who are named may do at most.
  public static int groupPermissions(ByteBuffer list) {
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

package dev.zcp.session.receive;

import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.AttributeReader;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.tree.AttributeSource.GivenAttributes;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Attire;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Timestamp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What an entry was offered with, as if its source were here; without what the receiver's user did
/// not say that it takes.
///
/// @param status of no device and no inode
record Given(FileStatus status, GivenAttributes attributes) {

  private static final int PERMISSIONS = 0777;

  /// Of a further name of a file no size is offered: no file is the same by its size and time.
  private static final long NO_SIZE = -1;

  /// Attributes of these namespaces act on the system itself, as a file's capabilities do:
  /// xattr(7), capabilities(7).
  private static final byte[][] POWERFUL = {ascii("security."), ascii("trusted.")};

  /// @param keeps bits of [Keep]
  /// @param losses gets to know of attributes that are left out here
  static Given of(Offered entry, int keeps, Losses losses) {
    return new Given(
        status(entry, keeps),
        attributes(entry.metadata().attributes(), entry.path(), keeps, losses));
  }

  /// The status that its source had, without device and inode.
  static FileStatus status(Offered entry, int keeps) {
    Attire metadata = entry.metadata();
    Timestamp accessed = metadata.accessed();
    Timestamp modified = metadata.modified();
    return new FileStatus(
        0,
        0,
        type(entry.kind()) | mode(metadata.mode(), keeps),
        metadata.owner(),
        metadata.group(),
        1,
        metadata.represents(),
        entry.kind() == EntryKind.HARD_LINK ? NO_SIZE : entry.hasSize() ? entry.size() : 0,
        0,
        accessed.seconds(),
        accessed.nanos(),
        modified.seconds(),
        modified.nanos(),
        modified.seconds(),
        modified.nanos(),
        0);
  }

  /// As [#status(Offered, int)], of a file of a part.
  static FileStatus status(Part.Cursor file, int keeps) {
    return new FileStatus(
        0,
        0,
        FileType.REGULAR | mode(file.mode(), keeps),
        file.owner(),
        file.group(),
        1,
        0,
        file.size(),
        0,
        file.accessedSeconds(),
        file.accessedNanos(),
        file.modifiedSeconds(),
        file.modifiedNanos(),
        file.modifiedSeconds(),
        file.modifiedNanos(),
        0);
  }

  private static int mode(int mode, int keeps) {
    return Keep.MODE.isIn(keeps) ? mode : mode & PERMISSIONS;
  }

  /// The type's bits of `st_mode`.
  static int type(EntryKind kind) {
    return switch (kind) {
      case FILE, HARD_LINK -> FileType.REGULAR;
      case DIRECTORY, WAY -> FileType.DIRECTORY;
      case LINK -> FileType.SYMLINK;
      case FIFO -> FileType.FIFO;
      case CHARACTER_DEVICE -> FileType.CHARACTER_DEVICE;
      case BLOCK_DEVICE -> FileType.BLOCK_DEVICE;
      case SOCKET -> FileType.SOCKET;
    };
  }

  /// Which of them are access control lists is for [dev.zcp.place.Metadata] to tell.
  static GivenAttributes attributes(
      List<ExtendedAttribute> offered, EntryPath path, int keeps, Losses losses) {
    if (offered.isEmpty() || !Keep.XATTR.isIn(keeps) && !Keep.ACL.isIn(keeps)) {
      return GivenAttributes.NONE;
    }
    List<GivenAttribute> given = new ArrayList<>(offered.size());
    for (ExtendedAttribute each : offered) {
      byte[] name = each.name().bytes();
      if (!AttributeReader.beginsWithAny(name, POWERFUL) || Keep.MODE.isIn(keeps)) {
        given.add(new GivenAttribute(name, each.value().bytes()));
      } else if (Keep.XATTR.isIn(keeps)) {
        losses.add(
            Loss.LossKind.XATTR,
            path,
            "those of security. and trusted. are taken with --accept=mode only");
      }
    }
    return new GivenAttributes(given);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

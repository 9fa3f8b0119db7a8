package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.SipHash;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.wire.Attire;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Timestamp;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Entries as a receiver gets to know them, but for their ids.
final class Drafts {

  /// Of what has no version that could be told from another.
  static final Bytes NO_IDENTITY = Bytes.of(new byte[Limits.IDENTITY_BYTES]);

  private static final Bytes NO_CONTENT = Bytes.of(new byte[0]);

  /// Inode, size, and two times of seconds and nanoseconds.
  private static final int VERSION_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES;

  private Drafts() {}

  /// @param directory where it is to be, or null for the receiver's own
  /// @param name below that
  /// @throws Failure SOURCE if no receiver could take such a path
  static EntryPath path(EntryPath directory, byte[] name, Object label) throws Failure {
    try {
      return EntryPath.below(directory, name);
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.SOURCE, label.toString(), "cannot be sent: " + e.getMessage())
          .because(e);
    }
  }

  /// @param size as [Offered#size]
  static Offered file(EntryPath path, long size, FileStatus status, List<GivenAttribute> given) {
    return file(path, size, status, metadata(EntryKind.FILE, status, attributes(given)));
  }

  private static Offered file(EntryPath path, long size, FileStatus status, Attire metadata) {
    Bytes identity = size == Offered.SIZE_UNKNOWN ? NO_IDENTITY : identity(status);
    return new Offered(0, EntryKind.FILE, path, size, metadata, identity, NO_CONTENT, 0);
  }

  static Offered stream(EntryPath path, int mode, Instant modified) {
    Timestamp moment = moment(modified);
    Attire metadata = new Attire(mode, 0, 0, moment, moment, 0, List.of());
    return new Offered(
        0, EntryKind.FILE, path, Offered.SIZE_UNKNOWN, metadata, NO_IDENTITY, NO_CONTENT, 0);
  }

  /// What has no bytes: a directory, a FIFO, a device.
  static Offered other(
      EntryKind kind, EntryPath path, FileStatus status, List<GivenAttribute> given) {
    Attire metadata = metadata(kind, status, attributes(given));
    return new Offered(0, kind, path, 0, metadata, NO_IDENTITY, NO_CONTENT, 0);
  }

  /// @param content where it leads
  static Offered link(
      EntryPath path, FileStatus status, List<GivenAttribute> given, byte[] content) {
    Attire metadata = metadata(EntryKind.LINK, status, attributes(given));
    return new Offered(0, EntryKind.LINK, path, 0, metadata, NO_IDENTITY, Bytes.of(content), 0);
  }

  /// Its id is one that may come after the first name's.
  ///
  /// @param firstId the entry that it is another name of
  static Offered hardLink(EntryPath path, FileStatus status, long firstId) {
    Attire metadata = metadata(EntryKind.HARD_LINK, status, List.of());
    return new Offered(
        firstId + 1, EntryKind.HARD_LINK, path, 0, metadata, NO_IDENTITY, NO_CONTENT, firstId);
  }

  /// The same file as it is now.
  static Offered anew(Offered file, FileStatus status) {
    Attire metadata = metadata(EntryKind.FILE, status, file.metadata().attributes());
    return file(file.path(), status.sizeBytes(), status, metadata);
  }

  static List<ExtendedAttribute> attributes(List<GivenAttribute> given) {
    if (given.isEmpty()) {
      return List.of();
    }
    List<ExtendedAttribute> attributes = new ArrayList<>(given.size());
    for (GivenAttribute each : given) {
      attributes.add(new ExtendedAttribute(Bytes.of(each.name()), Bytes.of(each.value())));
    }
    return attributes;
  }

  /// Of a further name of a device no number is offered: it becomes that of the first name.
  private static Attire metadata(
      EntryKind kind, FileStatus status, List<ExtendedAttribute> attributes) {
    return new Attire(
        status.wholeMode(),
        status.owner(),
        status.group(),
        new Timestamp(status.modifiedSeconds(), status.modifiedNanos()),
        new Timestamp(status.accessedSeconds(), status.accessedNanos()),
        kind.isDevice() ? status.represents() : 0,
        attributes);
  }

  /// Another version of a file has another one: another inode, or another size or time.
  private static Bytes identity(FileStatus status) {
    ByteBuffer version = ByteBuffer.allocate(VERSION_BYTES);
    version.putLong(status.inode()).putLong(status.sizeBytes());
    version.putLong(status.modifiedSeconds()).putInt(status.modifiedNanos());
    version.putLong(status.changedSeconds()).putInt(status.changedNanos());
    byte[] bytes = version.array();
    return Bytes.of(
        ByteBuffer.allocate(Limits.IDENTITY_BYTES)
            .putLong(SipHash.of(0, 0, bytes))
            .putLong(SipHash.of(0, 1, bytes))
            .array());
  }

  private static Timestamp moment(Instant instant) {
    return new Timestamp(instant.getEpochSecond(), instant.getNano());
  }
}

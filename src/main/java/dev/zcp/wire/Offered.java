package dev.zcp.wire;

import java.util.List;

/// One entry that a sender offers.
///
/// @param fileId its own in this session, never used again for another
/// @param size in bytes, of a regular file; [#SIZE_UNKNOWN] of a stream; else 0
/// @param identity what the source is known by, of [Limits#IDENTITY_BYTES] bytes: another version
///   of it has another one. Only compared, and only with what the same sender said
/// @param content where a symbolic link leads; else empty
/// @param firstId of a hard link, the file that it is a name of; else 0
public record Offered(
    long fileId,
    EntryKind kind,
    EntryPath path,
    long size,
    Attire metadata,
    Bytes identity,
    Bytes content,
    long firstId) {

  public static final long SIZE_UNKNOWN = -1;

  /// PATH_MAX of linux/limits.h, without its NUL: what symlink(2) takes.
  static final int CONTENT_BYTES_MAX = 4095;

  /// What each counts for beside its name, where it leads and its attributes.
  private static final int WEIGHT_BYTES = 128;

  public Offered {
    Limits.requireFileId(fileId);
    Limits.requireFileId(firstId);
    if (size != SIZE_UNKNOWN) {
      Limits.requireSize(size);
    }
    if (size != 0 && kind != EntryKind.FILE) {
      throw new IllegalArgumentException("a size, and it is not a regular file");
    }
    if (metadata.represents() != 0 && !kind.isDevice()) {
      throw new IllegalArgumentException("a device number, and it is no device");
    }
    if (path.isTop() && !kind.isDirectory()) {
      throw new IllegalArgumentException("a " + kind + " without a name");
    }
    identity.require(Limits.IDENTITY_BYTES, "the identity");
    boolean hasContent = content.length() > 0;
    if (hasContent != (kind == EntryKind.LINK) || content.length() > CONTENT_BYTES_MAX) {
      throw new IllegalArgumentException("a " + kind + " that leads " + content.length());
    }
    if (content.hasNul()) {
      throw new IllegalArgumentException("a link that leads through a NUL byte");
    }
    if (kind == EntryKind.HARD_LINK && firstId >= fileId) {
      throw new IllegalArgumentException("a hard link to a later file");
    }
    if (firstId != 0 && kind != EntryKind.HARD_LINK) {
      throw new IllegalArgumentException("a first name, and it is no hard link");
    }
  }

  public Offered withId(long id) {
    return new Offered(id, kind, path, size, metadata, identity, content, firstId);
  }

  /// The same entry, with the same name, in the directory of this path.
  public Offered movedTo(EntryPath directory) {
    return new Offered(
        fileId, kind, path.movedTo(directory), size, metadata, identity, content, firstId);
  }

  public boolean hasSize() {
    return size != SIZE_UNKNOWN;
  }

  /// What it counts for of [Limits#OFFERED_BYTES_MAX].
  public long weight() {
    List<ExtendedAttribute> attributes = metadata.attributes();
    return WEIGHT_BYTES
        + path.nameLength()
        + content.length()
        + ExtendedAttribute.bytes(attributes)
        - ExtendedAttribute.FIXED_BYTES * attributes.size();
  }
}

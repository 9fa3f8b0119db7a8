package dev.zcp.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;

/// What stat(2) says of a file.
///
/// @param device `st_dev`
/// @param inode `st_ino`
/// @param mode `st_mode`: type and permission bits
/// @param owner `st_uid`
/// @param group `st_gid`
/// @param sizeBytes `st_size`
/// @param modified `st_mtim`, to the nanosecond
/// @param changed `st_ctim`, to the nanosecond
public record FileStatus(
    long device,
    long inode,
    int mode,
    int owner,
    int group,
    long sizeBytes,
    FileTime modified,
    FileTime changed) {

  private static final String ATTRIBUTES = "unix:dev,ino,mode,uid,gid,size,lastModifiedTime,ctime";

  /// The permission bits without setuid, setgid and sticky.
  private static final int PERMISSIONS = 0777;

  private static final int STICKY = 01000;
  private static final int WRITE_BY_OTHERS = 0022;
  private static final int ANYTHING_BY_OTHERS = 0077;

  /// The status of what `path` leads to.
  ///
  /// @throws NoSuchFileException where it leads nowhere
  /// @throws IOException where stat(2) fails otherwise
  public static FileStatus of(Path path) throws IOException {
    return of(Files.readAttributes(path, ATTRIBUTES));
  }

  /// The status of what `path` leads to, or null where it leads nowhere.
  public static FileStatus ofExisting(Path path) throws IOException {
    try {
      return of(path);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /// Whether there is anything under this name, a link that leads nowhere among it.
  public static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  public boolean isRegular() {
    return type() == FileType.REGULAR;
  }

  public boolean isDirectory() {
    return type() == FileType.DIRECTORY;
  }

  public boolean isSocket() {
    return type() == FileType.SOCKET;
  }

  /// One of the type bits of [FileType].
  public int type() {
    return mode & FileType.MASK;
  }

  /// Read, write and execute for user, group and others; nothing else of the mode.
  public int permissions() {
    return mode & PERMISSIONS;
  }

  /// Whether the group or everybody may write to it.
  public boolean isWritableByOthers() {
    return (mode & WRITE_BY_OTHERS) != 0;
  }

  /// Whether the group or everybody may do anything with it.
  public boolean isOpenToOthers() {
    return (mode & ANYTHING_BY_OTHERS) != 0;
  }

  /// Whether names in this directory may be changed only by their owners: inode(7).
  public boolean isSticky() {
    return (mode & STICKY) != 0;
  }

  /// Whether both are the same file, by whatever names.
  public boolean isSameFile(FileStatus other) {
    return device == other.device && inode == other.inode;
  }

  /// Whether this is still the very file that `before` was, with nothing written to it and nothing
  /// about it changed.
  public boolean isUnchangedSince(FileStatus before) {
    return isSameFile(before)
        && sizeBytes == before.sizeBytes
        && modified.equals(before.modified)
        && changed.equals(before.changed);
  }

  private static FileStatus of(Map<String, Object> attributes) {
    return new FileStatus(
        (long) attributes.get("dev"),
        (long) attributes.get("ino"),
        (int) attributes.get("mode"),
        (int) attributes.get("uid"),
        (int) attributes.get("gid"),
        (long) attributes.get("size"),
        (FileTime) attributes.get("lastModifiedTime"),
        (FileTime) attributes.get("ctime"));
  }
}

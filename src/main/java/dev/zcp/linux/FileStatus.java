package dev.zcp.io;

import dev.zcp.linux.Stat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;

/// What stat(2) says of a file.
///
/// @param device `st_dev`
/// @param inode `st_ino`
/// @param mode `st_mode`: type and permission bits
/// @param owner `st_uid`
/// @param group `st_gid`
/// @param links `st_nlink`
/// @param represents `st_rdev`: the device that a device node stands for
/// @param sizeBytes `st_size`
/// @param blocks `st_blocks`, of 512 bytes; [#UNKNOWN] where Java's file API was asked, which does
///   not tell
/// @param accessedSeconds `st_atim`, since 1970, negative before; it and the others are no objects,
///   since a tree has many statuses, of which few times are asked for
/// @param accessedNanos of that second, counted forwards also before 1970
/// @param modifiedSeconds `st_mtim`
/// @param changedSeconds `st_ctim`
public record FileStatus(
    long device,
    long inode,
    int mode,
    int owner,
    int group,
    int links,
    long represents,
    long sizeBytes,
    long blocks,
    long accessedSeconds,
    int accessedNanos,
    long modifiedSeconds,
    int modifiedNanos,
    long changedSeconds,
    int changedNanos) {

  public static final long UNKNOWN = -1;

  private static final String ATTRIBUTES =
      "unix:dev,ino,mode,uid,gid,nlink,rdev,size,lastAccessTime,lastModifiedTime,ctime";

  /// The permission bits without setuid, setgid and sticky.
  private static final int PERMISSIONS = 0777;

  private static final int ALL_BITS = 07777;

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

  /// What statx(2) found.
  public static FileStatus of(Stat stat) {
    return new FileStatus(
        stat.device(),
        stat.inode(),
        stat.mode(),
        stat.owner(),
        stat.group(),
        stat.links(),
        stat.represents(),
        stat.sizeBytes(),
        stat.blocks(),
        stat.accessedSeconds(),
        stat.accessedNanos(),
        stat.modifiedSeconds(),
        stat.modifiedNanos(),
        stat.changedSeconds(),
        stat.changedNanos());
  }

  /// When it was read last.
  public FileTime accessed() {
    return time(accessedSeconds, accessedNanos);
  }

  /// When it was written to last.
  public FileTime modified() {
    return time(modifiedSeconds, modifiedNanos);
  }

  /// When anything about it was changed last.
  public FileTime changed() {
    return time(changedSeconds, changedNanos);
  }

  public boolean isRegular() {
    return type() == FileType.REGULAR;
  }

  public boolean isDirectory() {
    return type() == FileType.DIRECTORY;
  }

  public boolean isSymlink() {
    return type() == FileType.SYMLINK;
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

  /// The permission bits with setuid, setgid and sticky.
  public int wholeMode() {
    return mode & ALL_BITS;
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
        && modifiedSeconds == before.modifiedSeconds
        && modifiedNanos == before.modifiedNanos
        && changedSeconds == before.changedSeconds
        && changedNanos == before.changedNanos;
  }

  /// This status with another length.
  public FileStatus withSize(long bytes) {
    return new FileStatus(
        device,
        inode,
        mode,
        owner,
        group,
        links,
        represents,
        bytes,
        blocks,
        accessedSeconds,
        accessedNanos,
        modifiedSeconds,
        modifiedNanos,
        changedSeconds,
        changedNanos);
  }

  private static FileTime time(long seconds, int nanos) {
    return FileTime.from(Instant.ofEpochSecond(seconds, nanos));
  }

  private static FileStatus of(Map<String, Object> attributes) {
    Instant accessed = ((FileTime) attributes.get("lastAccessTime")).toInstant();
    Instant modified = ((FileTime) attributes.get("lastModifiedTime")).toInstant();
    Instant changed = ((FileTime) attributes.get("ctime")).toInstant();
    return new FileStatus(
        (long) attributes.get("dev"),
        (long) attributes.get("ino"),
        (int) attributes.get("mode"),
        (int) attributes.get("uid"),
        (int) attributes.get("gid"),
        (int) attributes.get("nlink"),
        (long) attributes.get("rdev"),
        (long) attributes.get("size"),
        UNKNOWN,
        accessed.getEpochSecond(),
        accessed.getNano(),
        modified.getEpochSecond(),
        modified.getNano(),
        changed.getEpochSecond(),
        changed.getNano());
  }
}

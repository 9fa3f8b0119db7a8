package dev.zcp.linux;

import dev.zcp.core.RawPath;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

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
/// @param blocks `st_blocks`: how many blocks of 512 bytes the file takes
/// @param accessedSeconds `st_atim`, since 1970, negative before; it and the others are no objects,
///   since a tree has many statuses, of which few times are asked for
/// @param accessedNanos of that second, counted forwards also before 1970
/// @param modifiedSeconds `st_mtim`
/// @param changedSeconds `st_ctim`
/// @param attributes `stx_attributes` of statx(2)
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
    int changedNanos,
    long attributes) {

  /// The permission bits without setuid, setgid and sticky.
  private static final int PERMISSIONS = 0777;

  /// What `st_blocks` counts, whatever the file system's own blocks are.
  private static final long BLOCK_BYTES = 512;

  private static final int ALL_BITS = 07777;

  private static final int OWNER_ACCESS = 0700;

  private static final int ANYTHING_BY_OTHERS = 0077;

  // STATX_ATTR_APPEND and STATX_ATTR_MOUNT_ROOT of linux/stat.h.
  private static final long APPEND = 0x20;
  private static final long MOUNT_ROOT = 0x2000;

  /// The status of what `path` leads to.
  ///
  /// @throws NoSuchFileException if it leads nowhere
  /// @throws IOException if statx(2) fails otherwise
  public static FileStatus of(RawPath path) throws IOException {
    return of(path.bytes(), 0);
  }

  /// As [#of], of a path that Java made.
  public static FileStatus of(Path path) throws IOException {
    return of(RawPath.of(path));
  }

  /// What a file has that is not there yet, and that is the caller's own.
  ///
  /// @param mode with the type bits
  public static FileStatus ofNew(int mode, Instant now) {
    long seconds = now.getEpochSecond();
    int nanos = now.getNano();
    return new FileStatus(
        0, 0, mode, 0, 0, 1, 0, 0, 0, seconds, nanos, seconds, nanos, seconds, nanos, 0);
  }

  /// The status of what `path` leads to, or null if it leads nowhere.
  public static FileStatus ofExisting(RawPath path) throws IOException {
    try {
      return of(path);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return null;
    }
  }

  /// As [#ofExisting], of a path that Java made.
  public static FileStatus ofExisting(Path path) throws IOException {
    return ofExisting(RawPath.of(path));
  }

  /// Whether anything has this name, even a link that leads nowhere.
  public static boolean exists(RawPath path) {
    return Entries.statx(Entries.AT_FDCWD, path.bytes(), Entries.AT_SYMLINK_NOFOLLOW) == 0;
  }

  private static FileStatus of(byte[] path, int flags) throws IOException {
    int result = Entries.statx(Entries.AT_FDCWD, path, flags);
    if (result < 0) {
      throw Errno.failure(-result, RawPath.of(path).toString());
    }
    return Entries.found();
  }

  /// What the kernel left in the structure of this thread's `scratch`: linux/stat.h. The longs are
  /// little-endian, as every processor of [Libc] is, so the first of two ints is the lower half.
  static FileStatus in(Scratch scratch) {
    long[] statx = scratch.readStruct();
    return new FileStatus(
        device(low(statx[17]), high(statx[17])),
        statx[4],
        high(statx[3]) & 0xffff,
        high(statx[2]),
        low(statx[3]),
        low(statx[2]),
        device(low(statx[16]), high(statx[16])),
        statx[5],
        statx[6],
        statx[8],
        low(statx[9]),
        statx[14],
        low(statx[15]),
        statx[12],
        low(statx[13]),
        statx[1]);
  }

  /// As [#isUnchangedSince] of what [#in] would give.
  static boolean isFoundUnchanged(Scratch scratch, FileStatus before) {
    long[] statx = scratch.readStruct();
    return statx[4] == before.inode
        && statx[5] == before.sizeBytes
        && statx[12] == before.changedSeconds
        && low(statx[13]) == before.changedNanos
        && statx[14] == before.modifiedSeconds
        && low(statx[15]) == before.modifiedNanos
        && device(low(statx[17]), high(statx[17])) == before.device;
  }

  private static int low(long pair) {
    return (int) pair;
  }

  private static int high(long pair) {
    return (int) (pair >>> Integer.SIZE);
  }

  /// Whether something is mounted there, and this is the status of that. Linux before 5.8 does not
  /// tell.
  public boolean isMountRoot() {
    return (attributes & MOUNT_ROOT) != 0;
  }

  /// Whether it takes new entries or bytes at its end, and nothing else: chattr(1).
  public boolean isAppendOnly() {
    return (attributes & APPEND) != 0;
  }

  public FileTime modified() {
    return time(modifiedSeconds, modifiedNanos);
  }

  public FileTime changed() {
    return time(changedSeconds, changedNanos);
  }

  /// Before a file that somebody else named is opened: to open a FIFO waits for a writer, and a
  /// device may have no end.
  ///
  /// @throws FileSystemException if it is no regular file
  public void requireRegular(Object path) throws FileSystemException {
    if (!isRegular()) {
      throw new FileSystemException(path.toString(), null, "is not a regular file");
    }
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

  /// Whether it has as many blocks as its size takes. If not, it has holes, or is compressed.
  public boolean hasAllBlocks() {
    return blocks >= (sizeBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
  }

  /// Its size without its holes, or less if the file system compresses it.
  public long dataBytes() {
    return hasAllBlocks() ? sizeBytes : blocks * BLOCK_BYTES;
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

  /// Whether the group or everybody may do anything with it.
  public boolean isOpenToOthers() {
    return (mode & ANYTHING_BY_OTHERS) != 0;
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

  /// As [#isUnchangedSince], but its names, its owner and its mode may be others: as far as the
  /// times tell, nothing was written to it.
  public boolean hasContentOf(FileStatus before) {
    return isSameFile(before)
        && sizeBytes == before.sizeBytes
        && modifiedSeconds == before.modifiedSeconds
        && modifiedNanos == before.modifiedNanos;
  }

  public FileStatus withSize(long bytes) {
    return with(mode, bytes);
  }

  public FileStatus withOwnerAccess() {
    return with(mode | OWNER_ACCESS, sizeBytes);
  }

  private FileStatus with(int newMode, long bytes) {
    return new FileStatus(
        device,
        inode,
        newMode,
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
        changedNanos,
        attributes);
  }

  private static FileTime time(long seconds, int nanos) {
    return FileTime.from(Instant.ofEpochSecond(seconds, nanos));
  }

  /// `gnu_dev_makedev` of the GNU C library: `st_dev` as Java reads it.
  private static long device(long major, long minor) {
    return (major & 0xfff) << 8
        | (major & 0xffff_f000L) << 32
        | minor & 0xff
        | (minor & 0xffff_ff00L) << 12;
  }
}

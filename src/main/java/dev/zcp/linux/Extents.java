package dev.zcp.linux;

/// The system calls on where a file has bytes and where it has none, and on making them last: one
/// method each, the C prototype above it. As in [Libc], a method gives what the call returned or
/// minus the [error number][Errno].
public final class Extents {

  /// What [#fileSystem] says of ext2, ext3 and ext4: linux/magic.h.
  public static final long EXT4 = 0xEF53;

  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;

  // linux/falloc.h
  private static final int KEEP_SIZE = 1;
  private static final int PUNCH_HOLE = 2;

  private static final int SYNC_FILE_RANGE_WRITE = 2;

  /// WAIT_BEFORE, WRITE and WAIT_AFTER.
  private static final int SYNC_FILE_RANGE_ALL = 7;

  private static final long LSEEK = Libc.function("lseek");
  private static final long FTRUNCATE = Libc.function("ftruncate");
  private static final long FALLOCATE = Libc.function("fallocate");
  private static final long FSTATFS = Libc.function("fstatfs");
  private static final long FSYNC = Libc.function("fsync");
  private static final long SYNCFS = Libc.function("syncfs");
  private static final long SYNC_FILE_RANGE = Libc.function("sync_file_range");

  private Extents() {}

  /// `off_t lseek(int fd, off_t offset, SEEK_DATA)`
  ///
  /// @return where data begins at `offset` or after; `-ENXIO` if none does
  public static long seekData(int file, long offset) {
    return Libc.call(LSEEK, file, offset, SEEK_DATA, 0, 0, 0);
  }

  /// `off_t lseek(int fd, off_t offset, SEEK_HOLE)`
  ///
  /// @return where a hole begins at `offset` or after, the end of the file being one; `-ENXIO` if
  ///   `offset` is past the end
  public static long seekHole(int file, long offset) {
    return Libc.call(LSEEK, file, offset, SEEK_HOLE, 0, 0, 0);
  }

  /// `int ftruncate(int fd, off_t length)`
  public static int ftruncate(int file, long bytes) {
    return Libc.intCall(FTRUNCATE, file, bytes, 0, 0, 0);
  }

  /// `int fallocate(int fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t offset, off_t size)`
  public static int punchHole(int file, long offset, long bytes) {
    return Libc.intCall(FALLOCATE, file, PUNCH_HOLE | KEEP_SIZE, offset, bytes, 0);
  }

  /// `int fstatfs(int fd, struct statfs *buf)`
  ///
  /// @return `f_type`: which file system it is, see statfs(2); never negative but for failures
  public static long fileSystem(int file) {
    Scratch scratch = Scratch.mine();
    long result = Libc.intCall(FSTATFS, file, scratch.struct(), 0, 0, 0);
    return result < 0 ? result : scratch.structLong(0) & 0xffff_ffffL;
  }

  /// `int fstatfs(int fd, struct statfs *buf)`
  ///
  /// @param room gets the bytes that this user may still write, the inodes that the file system has
  ///   in all, 0 if it has no such number, and those that are free; and, if there is room for a
  ///   fourth number, how many blocks it has in all, 0 if it does not tell. Nothing unless the call
  ///   gives 0
  public static int fstatfs(int file, long[] room) {
    Scratch scratch = Scratch.mine();
    int result = Libc.intCall(FSTATFS, file, scratch.struct(), 0, 0, 0);
    if (result == 0) {
      // asm-generic/statfs.h: every field but the fsid is a long; f_bavail counts fragments.
      room[0] = scratch.structLong(32) * scratch.structLong(72);
      room[1] = scratch.structLong(40);
      room[2] = scratch.structLong(48);
      if (room.length > 3) {
        room[3] = scratch.structLong(16);
      }
    }
    return result;
  }

  /// `int fsync(int fd)`
  public static int fsync(int file) {
    return Libc.intCall(FSYNC, file, 0, 0, 0, 0);
  }

  /// `int syncfs(int fd)`: all of the file system that `file` is on.
  public static int syncfs(int file) {
    return Libc.intCall(SYNCFS, file, 0, 0, 0, 0);
  }

  /// `int sync_file_range(int fd, off_t offset, off_t nbytes, SYNC_FILE_RANGE_WRITE)`: begins to
  /// write the range out and waits for nothing.
  public static int startWriting(int file, long offset, long bytes) {
    return Libc.intCall(SYNC_FILE_RANGE, file, offset, bytes, SYNC_FILE_RANGE_WRITE, 0);
  }

  /// `int sync_file_range(int fd, off_t offset, off_t nbytes, unsigned flags)` with all three
  /// flags: writes the range out and waits until it is.
  public static int writeOut(int file, long offset, long bytes) {
    return Libc.intCall(SYNC_FILE_RANGE, file, offset, bytes, SYNC_FILE_RANGE_ALL, 0);
  }
}

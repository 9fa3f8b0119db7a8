package dev.zcp.linux;

import java.nio.ByteBuffer;
import java.util.Optional;

/// The system calls that Java has no method for: one method each, the C prototype above it.
///
/// A method gives what the call returned, or minus the [error number][Errno]: a kernel's "no" is a
/// value here and never an exception. If there is no such call to make ([#obstacle], or a C library
/// without the function) that value is `-ENOSYS`.
///
/// **These calls block, and Java cannot see it.** Neither interrupt nor close frees a thread from
/// one: use platform threads, free a stuck socket by shutdown, and let nobody close a descriptor
/// that a call may be using, since its number may by then belong to another file.
///
/// [Native] says how a call is made. Calls that only measure are in [Instruments].
public final class Libc {

  /// Says "where the descriptor stands", in place of an offset.
  public static final long NO_OFFSET = -1;

  /// [#splice]: more will follow, so a socket may wait for a full segment.
  public static final int SPLICE_F_MORE = 4;

  /// A signal handler that restarts nothing may interrupt a call, but not for ever.
  private static final int INTERRUPTIONS_MAX = 100;

  private static final int O_CLOEXEC = 0x80000;

  // asm-generic/fcntl.h
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;

  // Of linux/statfs.h.
  private static final long ST_RDONLY = 1;

  // Of linux/magic.h.
  private static final long SYSFS = 0x62656572L;
  private static final long CONFIGFS = 0x62656570L;

  // linux/falloc.h
  private static final int KEEP_SIZE = 1;
  private static final int PUNCH_HOLE = 2;

  // bits/poll.h
  private static final int POLLIN = 1;
  private static final int POLLOUT = 4;

  private static final int F_DUPFD_CLOEXEC = 1030;
  private static final int F_SETPIPE_SZ = 1031;
  private static final int F_GETPIPE_SZ = 1032;

  // include/uapi/asm-generic/ioctls.h
  private static final long TIOCGWINSZ = 0x5413;

  // include/uapi/linux/fs.h: _IOW(0x94, 13, struct file_clone_range)
  private static final long FICLONERANGE = 0x4020940DL;

  private static final long COPY_FILE_RANGE = Native.find("copy_file_range");
  private static final long SPLICE = Native.find("splice");
  private static final long SENDFILE = Native.find("sendfile");
  private static final long IOCTL = Native.find("ioctl");
  private static final long PIPE2 = Native.find("pipe2");
  private static final long FCNTL = Native.find("fcntl");
  private static final long READ = Native.find("read");
  private static final long PREAD = Native.find("pread");
  private static final long PWRITE = Native.find("pwrite");
  private static final long CLOSE = Native.find("close");
  private static final long FALLOCATE = Native.find("fallocate");
  private static final long FSTATFS = Native.find("fstatfs");
  private static final long FSYNC = Native.find("fsync");
  private static final long FLOCK = Native.find("flock");
  private static final long POLL = Native.find("poll");

  private Libc() {}

  /// Why no call can be made in this process, as a phrase a user can read; empty if calls can be
  /// made.
  public static Optional<String> obstacle() {
    return Optional.ofNullable(Native.OBSTACLE);
  }

  /// `ssize_t copy_file_range(int fd_in, off_t *off_in, int fd_out, off_t *off_out, size_t size,
  /// unsigned int flags)`
  ///
  /// Either offset may be [#NO_OFFSET].
  public static long copyFileRange(int from, long fromOffset, int to, long toOffset, long bytes) {
    Scratch scratch = Scratch.mine();
    return call(
        COPY_FILE_RANGE, from, scratch.source(fromOffset), to, scratch.target(toOffset), bytes, 0);
  }

  /// `ssize_t splice(int fd_in, off_t *off_in, int fd_out, off_t *off_out, size_t size, unsigned
  /// int flags)`
  ///
  /// An end that cannot seek takes [#NO_OFFSET].
  public static long splice(
      int from, long fromOffset, int to, long toOffset, long bytes, int flags) {
    Scratch scratch = Scratch.mine();
    return call(
        SPLICE, from, scratch.source(fromOffset), to, scratch.target(toOffset), bytes, flags);
  }

  /// `ssize_t sendfile(int out_fd, int in_fd, off_t *offset, size_t count)`
  public static long sendfile(int to, int from, long fromOffset, long bytes) {
    return call(SENDFILE, to, from, Scratch.mine().source(fromOffset), bytes, 0, 0);
  }

  /// `int ioctl(int dest_fd, FICLONERANGE, struct file_clone_range *arg)`: ioctl_ficlonerange(2)
  ///
  /// @param bytes how many to share; 0 means all up to the end of the source
  public static int ficloneRange(int to, long toOffset, int from, long fromOffset, long bytes) {
    long range = Scratch.mine().struct(from, fromOffset, bytes, toOffset);
    return intCall(IOCTL, to, FICLONERANGE, range, 0, 0);
  }

  /// `int ioctl(int fd, TIOCGWINSZ, struct winsize *argp)`: ioctl_tty(2)
  ///
  /// @return how many columns the terminal has; 0 if it does not know
  public static int terminalColumns(int terminal) {
    Scratch scratch = Scratch.mine();
    int result = intCall(IOCTL, terminal, TIOCGWINSZ, scratch.struct(), 0, 0);
    // unsigned short ws_row, ws_col
    return result < 0 ? result : (int) (scratch.structLong(0) >>> Short.SIZE) & 0xffff;
  }

  /// `int pipe2(int pipefd[2], O_CLOEXEC)`
  ///
  /// @param ends gets the reading end, then the writing end, if the call gives 0
  public static int pipe(int[] ends) {
    Scratch scratch = Scratch.mine();
    int result = intCall(PIPE2, scratch.struct(), O_CLOEXEC, 0, 0, 0);
    if (result == 0) {
      ends[0] = scratch.structInt(0);
      ends[1] = scratch.structInt(Integer.BYTES);
    }
    return result;
  }

  /// `int fcntl(int fd, F_DUPFD_CLOEXEC, int lowest)`
  ///
  /// @return another descriptor of the same open file
  public static int duplicate(int descriptor) {
    return intCall(FCNTL, descriptor, F_DUPFD_CLOEXEC, 0, 0, 0);
  }

  /// `int fcntl(int fd, F_SETPIPE_SZ, int size)`
  ///
  /// @return the capacity granted, which may be more than `bytes`
  public static int setPipeCapacity(int pipe, int bytes) {
    return intCall(FCNTL, pipe, F_SETPIPE_SZ, bytes, 0, 0);
  }

  /// `int fcntl(int fd, F_GETPIPE_SZ)`
  public static int pipeCapacity(int pipe) {
    return intCall(FCNTL, pipe, F_GETPIPE_SZ, 0, 0, 0);
  }

  /// `ssize_t read(int fd, void *buf, size_t count)`
  ///
  /// Fills `target`, a direct buffer, from its position on and advances it.
  ///
  /// @return the count, 0 at the end
  public static int read(int from, ByteBuffer target) {
    return transfer(READ, from, target, 0);
  }

  /// `ssize_t pread(int fd, void *buf, size_t count, off_t offset)`
  ///
  /// As [#read], at `offset`.
  public static int pread(int from, ByteBuffer target, long offset) {
    return transfer(PREAD, from, target, offset);
  }

  /// `ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)`
  ///
  /// Writes what remains of `bytes`, a direct buffer, at `offset`, and advances it by what was
  /// taken.
  public static int pwrite(int to, ByteBuffer bytes, long offset) {
    return transfer(PWRITE, to, bytes, offset);
  }

  /// `int close(int fd)`
  ///
  /// Never made again after EINTR: on Linux the descriptor is gone by then, see close(2).
  public static int close(int descriptor) {
    return CLOSE == 0 ? -Errno.ENOSYS : (int) Native.call(CLOSE, descriptor, 0, 0, 0, 0, 0, true);
  }

  /// `int fallocate(int fd, 0, off_t offset, off_t size)`
  ///
  /// Gives the range its blocks, and lengthens the file if the range ends behind it.
  public static int fallocate(int file, long offset, long bytes) {
    return intCall(FALLOCATE, file, 0, offset, bytes, 0);
  }

  /// `int fallocate(int fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t offset, off_t size)`
  static int punchHole(int file, long offset, long bytes) {
    return intCall(FALLOCATE, file, PUNCH_HOLE | KEEP_SIZE, offset, bytes, 0);
  }

  /// `int fstatfs(int fd, struct statfs *buf)`
  ///
  /// @return `f_type`: which file system it is, see statfs(2); never negative but for failures
  public static long fileSystem(int file) {
    Scratch scratch = Scratch.mine();
    long result = intCall(FSTATFS, file, scratch.struct(), 0, 0, 0);
    return result < 0 ? result : scratch.structLong(0) & 0xffff_ffffL;
  }

  /// Whether the file system says of each of its files that it is a page long: sysfs and configfs.
  public static boolean saysOnePage(int file) {
    long type = fileSystem(file);
    return type == SYSFS || type == CONFIGFS;
  }

  /// `int fstatfs(int fd, struct statfs *buf)`
  ///
  /// @param room gets the bytes that this user may still write, the inodes that the file system has
  ///   in all, 0 if it has no such number, and those that are free; and, if there is room for five
  ///   numbers, how many blocks it has in all, 0 if it does not tell, and how many bytes are used.
  ///   Nothing unless the call gives 0
  public static int fstatfs(int file, long[] room) {
    Scratch scratch = Scratch.mine();
    int result = intCall(FSTATFS, file, scratch.struct(), 0, 0, 0);
    if (result == 0) {
      // asm-generic/statfs.h: every field but the fsid is a long; f_bavail counts fragments.
      room[0] = scratch.structLong(32) * scratch.structLong(72);
      room[1] = scratch.structLong(40);
      room[2] = scratch.structLong(48);
      if (room.length > 4) {
        room[3] = scratch.structLong(16);
        room[4] = (room[3] - scratch.structLong(24)) * scratch.structLong(72);
      }
    }
    return result;
  }

  /// `int fstatfs(int fd, struct statfs *buf)`
  ///
  /// @return whether it is mounted read-only: `ST_RDONLY` in `f_flags`, which are those of the
  ///   mount
  public static boolean isReadOnly(int file) {
    Scratch scratch = Scratch.mine();
    int result = intCall(FSTATFS, file, scratch.struct(), 0, 0, 0);
    return result == 0 && (scratch.structLong(80) & ST_RDONLY) != 0;
  }

  /// `int fsync(int fd)`
  public static int fsync(int file) {
    return intCall(FSYNC, file, 0, 0, 0, 0);
  }

  /// `int flock(int fd, LOCK_EX | LOCK_NB)`
  ///
  /// The lock belongs to what [Entries#openat] opened: opening the file once more in this process
  /// does not share it, and closing that does not release it.
  ///
  /// @return `-EAGAIN` if somebody has it
  public static int flock(int file) {
    return intCall(FLOCK, file, LOCK_EX | LOCK_NB, 0, 0, 0);
  }

  /// `int poll(struct pollfd *fds, 1, 0)` with POLLOUT
  ///
  /// @return 1 if a short write would not wait, also because it would fail; else 0
  public static int pollOut(int descriptor) {
    return poll(descriptor, POLLOUT);
  }

  /// As [#pollOut] with POLLIN.
  ///
  /// @return 1 if a read would not wait, also because it would fail, or find the end; else 0
  public static int pollIn(int descriptor) {
    return poll(descriptor, POLLIN);
  }

  private static int poll(int descriptor, long events) {
    // int fd, short events, short revents; every processor that is served is little-endian.
    long polled =
        Scratch.mine().struct(Integer.toUnsignedLong(descriptor) | events << Integer.SIZE);
    return intCall(POLL, polled, 1, 0, 0, 0);
  }

  private static int transfer(long function, int descriptor, ByteBuffer buffer, long offset) {
    long address = Scratch.mine().addressOf(buffer);
    long result = call(function, descriptor, address, buffer.remaining(), offset, 0, 0);
    if (result > 0) {
      buffer.position(buffer.position() + (int) result);
    }
    return (int) result;
  }

  /// Calls a function that returns C's `int`.
  static int intCall(long function, long first, long second, long third, long fourth, long fifth) {
    return (int) call(function, first, second, third, fourth, fifth, 0, true);
  }

  /// Calls a function that returns a `long` or `ssize_t`.
  static long call(
      long function, long first, long second, long third, long fourth, long fifth, long sixth) {
    return call(function, first, second, third, fourth, fifth, sixth, false);
  }

  private static long call(
      long function, long a, long b, long c, long d, long e, long f, boolean isInt) {
    if (function == 0) {
      return -Errno.ENOSYS;
    }
    long result = Native.call(function, a, b, c, d, e, f, isInt);
    for (int i = 1; result == -Errno.EINTR && i < INTERRUPTIONS_MAX; i++) {
      result = Native.call(function, a, b, c, d, e, f, isInt);
    }
    return result;
  }
}

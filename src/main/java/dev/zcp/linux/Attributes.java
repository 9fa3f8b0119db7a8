package dev.zcp.linux;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/// The system calls on what a file is besides its bytes: one method each, the C prototype above it.
/// As in [Libc], a method gives what the call returned or minus the [error number][Errno].
public final class Attributes {

  /// In place of nanoseconds: leave this time as it is.
  public static final int UTIME_OMIT = (1 << 30) - 2;

  private Attributes() {}

  /// `int fchownat(int dirfd, const char *pathname, uid_t owner, gid_t group, int flags)`
  ///
  /// With [Entries#AT_EMPTY_PATH] and an empty name: of `directory` itself, which may be any file.
  public static int fchownat(int directory, byte[] name, int owner, int group, int flags) {
    long path = Scratch.mine().path(name);
    return path == 0
        ? -Errno.ENAMETOOLONG
        : (int) Libc.intCall(Bound.FCHOWNAT, directory, path, owner, group, flags);
  }

  /// `int fchown(int fd, uid_t owner, gid_t group)`
  public static int fchown(int file, int owner, int group) {
    return (int) Libc.intCall(Bound.FCHOWN, file, owner, group, 0, 0);
  }

  /// `int fchmod(int fd, mode_t mode)`
  public static int fchmod(int file, int mode) {
    return (int) Libc.intCall(Bound.FCHMOD, file, mode, 0, 0, 0);
  }

  /// `int fchmodat(int dirfd, const char *pathname, mode_t mode, 0)`
  ///
  /// Follows a link: of links themselves Linux sets no mode.
  public static int fchmodat(int directory, byte[] name, int mode) {
    long path = Scratch.mine().path(name);
    return path == 0
        ? -Errno.ENAMETOOLONG
        : (int) Libc.intCall(Bound.FCHMODAT, directory, path, mode, 0, 0);
  }

  /// `int futimens(int fd, const struct timespec times[2])`
  public static int futimens(int file, Timespec accessed, Timespec modified) {
    long times = times(accessed, modified);
    return (int) Libc.intCall(Bound.FUTIMENS, file, times, 0, 0, 0);
  }

  /// `int utimensat(int dirfd, const char *pathname, const struct timespec times[2], int flags)`
  public static int utimensat(
      int directory, byte[] name, Timespec accessed, Timespec modified, int flags) {
    long path = Scratch.mine().path(name);
    long times = times(accessed, modified);
    return path == 0
        ? -Errno.ENAMETOOLONG
        : (int) Libc.intCall(Bound.UTIMENSAT, directory, path, times, flags, 0);
  }

  /// `ssize_t flistxattr(int fd, char *list, size_t size)`
  ///
  /// Fills `target`, a direct buffer, from its beginning on; with no room it tells the length
  /// alone.
  public static int flistxattr(int file, ByteBuffer target) {
    return (int) filling(Bound.FLISTXATTR, file, 0, target);
  }

  /// `ssize_t llistxattr(const char *path, char *list, size_t size)`
  public static int llistxattr(byte[] path, ByteBuffer target) {
    long file = Scratch.mine().path(path);
    return file == 0 ? -Errno.ENAMETOOLONG : (int) filling(Bound.LLISTXATTR, file, 0, target);
  }

  /// `ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)`
  public static int fgetxattr(int file, byte[] name, ByteBuffer target) {
    return (int) filling(Bound.FGETXATTR, file, Scratch.mine().secondPath(name), target);
  }

  /// `ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)`
  public static int lgetxattr(byte[] path, byte[] name, ByteBuffer target) {
    Scratch scratch = Scratch.mine();
    long file = scratch.path(path);
    return file == 0
        ? -Errno.ENAMETOOLONG
        : (int) filling(Bound.LGETXATTR, file, scratch.secondPath(name), target);
  }

  /// `int fsetxattr(int fd, const char *name, const void *value, size_t size, 0)`
  ///
  /// @param value what remains of this direct buffer, which stays as it is
  public static int fsetxattr(int file, byte[] name, ByteBuffer value) {
    return setting(Bound.FSETXATTR, file, Scratch.mine().secondPath(name), value);
  }

  /// `int lsetxattr(const char *path, const char *name, const void *value, size_t size, 0)`
  public static int lsetxattr(byte[] path, byte[] name, ByteBuffer value) {
    Scratch scratch = Scratch.mine();
    long file = scratch.path(path);
    return file == 0
        ? -Errno.ENAMETOOLONG
        : setting(Bound.LSETXATTR, file, scratch.secondPath(name), value);
  }

  /// `int fremovexattr(int fd, const char *name)`
  public static int fremovexattr(int file, byte[] name) {
    long attribute = Scratch.mine().secondPath(name);
    return (int) Libc.intCall(Bound.FREMOVEXATTR, file, attribute, 0, 0, 0);
  }

  /// `int lremovexattr(const char *path, const char *name)`
  public static int lremovexattr(byte[] path, byte[] name) {
    Scratch scratch = Scratch.mine();
    long file = scratch.path(path);
    return file == 0
        ? -Errno.ENAMETOOLONG
        : (int) Libc.intCall(Bound.LREMOVEXATTR, file, scratch.secondPath(name), 0, 0, 0);
  }

  private static long times(Timespec accessed, Timespec modified) {
    return Scratch.mine()
        .struct(accessed.seconds(), accessed.nanos(), modified.seconds(), modified.nanos());
  }

  /// @param attribute the address of its name, or 0 for a call that lists them
  private static long filling(long function, long file, long attribute, ByteBuffer target) {
    requireDirect(target);
    try {
      long address = Scratch.mine().addressOf(target.clear());
      long room = target.capacity();
      return attribute == 0
          ? Libc.call(function, file, address, room, 0, 0, 0)
          : Libc.call(function, file, attribute, address, room, 0, 0);
    } finally {
      Reference.reachabilityFence(target);
    }
  }

  private static int setting(long function, long file, long attribute, ByteBuffer value) {
    requireDirect(value);
    try {
      long address = Scratch.mine().addressOf(value);
      return (int) Libc.intCall(function, file, attribute, address, value.remaining(), 0);
    } finally {
      Reference.reachabilityFence(value);
    }
  }

  private static void requireDirect(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the kernel reaches direct buffers only");
    }
  }

  /// The addresses: looked up by the first call.
  private static final class Bound {

    static final long FCHOWNAT = Libc.function("fchownat");
    static final long FCHOWN = Libc.function("fchown");
    static final long FCHMOD = Libc.function("fchmod");
    static final long FCHMODAT = Libc.function("fchmodat");
    static final long FUTIMENS = Libc.function("futimens");
    static final long UTIMENSAT = Libc.function("utimensat");
    static final long FLISTXATTR = Libc.function("flistxattr");
    static final long LLISTXATTR = Libc.function("llistxattr");
    static final long FGETXATTR = Libc.function("fgetxattr");
    static final long LGETXATTR = Libc.function("lgetxattr");
    static final long FSETXATTR = Libc.function("fsetxattr");
    static final long LSETXATTR = Libc.function("lsetxattr");
    static final long FREMOVEXATTR = Libc.function("fremovexattr");
    static final long LREMOVEXATTR = Libc.function("lremovexattr");

    private Bound() {}
  }
}

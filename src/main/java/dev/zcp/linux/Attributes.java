package dev.zcp.linux;

import java.nio.ByteBuffer;

/// The system calls on what a file is besides its bytes: one method each, the C prototype above it.
/// As in [Libc], a method gives what the call returned or minus the [error number][Errno].
public final class Attributes {

  private static final long FCHOWNAT = Native.find("fchownat");
  private static final long FCHOWN = Native.find("fchown");
  private static final long FCHMOD = Native.find("fchmod");
  private static final long FCHMODAT = Native.find("fchmodat");
  private static final long FUTIMENS = Native.find("futimens");
  private static final long UTIMENSAT = Native.find("utimensat");
  private static final long FLISTXATTR = Native.find("flistxattr");
  private static final long LLISTXATTR = Native.find("llistxattr");
  private static final long LISTXATTR = Native.find("listxattr");
  private static final long FGETXATTR = Native.find("fgetxattr");
  private static final long LGETXATTR = Native.find("lgetxattr");
  private static final long GETXATTR = Native.find("getxattr");
  private static final long FSETXATTR = Native.find("fsetxattr");
  private static final long SETXATTR = Native.find("setxattr");
  private static final long FREMOVEXATTR = Native.find("fremovexattr");
  private static final long REMOVEXATTR = Native.find("removexattr");

  private static final long SYSCALL = Native.find("syscall");

  /// `SYS_listxattrat`, which has one number for all processors. Linux before 6.13 does not have
  /// it, and Debian's C library has no function for it.
  private static final long LISTXATTRAT = 465;

  private Attributes() {}

  /// `int fchownat(int dirfd, const char *pathname, uid_t owner, gid_t group, int flags)`
  ///
  /// With [Entries#AT_EMPTY_PATH] and an empty name: of `directory` itself, which may be any file.
  public static int fchownat(int directory, byte[] name, int owner, int group, int flags) {
    return Libc.intCall(FCHOWNAT, directory, Scratch.mine().path(name), owner, group, flags);
  }

  /// `int fchown(int fd, uid_t owner, gid_t group)`
  public static int fchown(int file, int owner, int group) {
    return Libc.intCall(FCHOWN, file, owner, group, 0, 0);
  }

  /// `int fchmod(int fd, mode_t mode)`
  public static int fchmod(int file, int mode) {
    return Libc.intCall(FCHMOD, file, mode, 0, 0, 0);
  }

  /// `int fchmodat(int dirfd, const char *pathname, mode_t mode, 0)`
  ///
  /// Follows a link: of links themselves Linux sets no mode.
  public static int fchmodat(int directory, byte[] name, int mode) {
    return Libc.intCall(FCHMODAT, directory, Scratch.mine().path(name), mode, 0, 0);
  }

  /// `int futimens(int fd, const struct timespec times[2])`
  ///
  /// @param times as [#utimensat]
  public static int futimens(int file, long... times) {
    return Libc.intCall(FUTIMENS, file, Scratch.mine().struct(times), 0, 0, 0);
  }

  /// `int utimensat(int dirfd, const char *pathname, const struct timespec times[2], int flags)`
  ///
  /// @param times when it was accessed, in seconds since 1970 and nanoseconds of that second, which
  ///   are counted forwards also before 1970; then the same of when it was modified
  public static int utimensat(int directory, byte[] name, int flags, long... times) {
    long path = Scratch.mine().path(name);
    return Libc.intCall(UTIMENSAT, directory, path, Scratch.mine().struct(times), flags, 0);
  }

  /// `ssize_t flistxattr(int fd, char *list, size_t size)`
  ///
  /// Fills `target`, a direct buffer, from its beginning on; with no room it tells the length
  /// alone.
  public static int flistxattr(int file, ByteBuffer target) {
    return filling(FLISTXATTR, file, 0, target);
  }

  /// `ssize_t listxattr(const char *path, char *list, size_t size)`
  public static int listxattr(byte[] path, ByteBuffer target) {
    return filling(LISTXATTR, Scratch.mine().path(path), 0, target);
  }

  /// `ssize_t llistxattr(const char *path, char *list, size_t size)`
  public static int llistxattr(byte[] path, ByteBuffer target) {
    return filling(LLISTXATTR, Scratch.mine().path(path), 0, target);
  }

  /// `long syscall(SYS_listxattrat, int dfd, const char *pathname, unsigned int at_flags, char
  /// *list, size_t size)`
  public static int listxattrat(int directory, byte[] name, int flags, ByteBuffer target) {
    Scratch scratch = Scratch.mine();
    long file = scratch.path(name);
    long list = scratch.addressOf(target.clear());
    return (int) Libc.call(SYSCALL, LISTXATTRAT, directory, file, flags, list, target.capacity());
  }

  /// `ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)`
  public static int fgetxattr(int file, byte[] name, ByteBuffer target) {
    return filling(FGETXATTR, file, Scratch.mine().secondPath(name), target);
  }

  /// `ssize_t getxattr(const char *path, const char *name, void *value, size_t size)`
  public static int getxattr(byte[] path, byte[] name, ByteBuffer target) {
    return filling(GETXATTR, Scratch.mine().path(path), Scratch.mine().secondPath(name), target);
  }

  /// `ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)`
  public static int lgetxattr(byte[] path, byte[] name, ByteBuffer target) {
    return filling(LGETXATTR, Scratch.mine().path(path), Scratch.mine().secondPath(name), target);
  }

  /// `int fsetxattr(int fd, const char *name, const void *value, size_t size, 0)`
  ///
  /// @param value what remains of this direct buffer, which stays as it is
  public static int fsetxattr(int file, byte[] name, ByteBuffer value) {
    return setting(FSETXATTR, file, Scratch.mine().secondPath(name), value);
  }

  /// `int setxattr(const char *path, const char *name, const void *value, size_t size, 0)`
  public static int setxattr(byte[] path, byte[] name, ByteBuffer value) {
    return setting(SETXATTR, Scratch.mine().path(path), Scratch.mine().secondPath(name), value);
  }

  /// `int fremovexattr(int fd, const char *name)`
  public static int fremovexattr(int file, byte[] name) {
    return Libc.intCall(FREMOVEXATTR, file, Scratch.mine().secondPath(name), 0, 0, 0);
  }

  /// `int removexattr(const char *path, const char *name)`
  public static int removexattr(byte[] path, byte[] name) {
    long file = Scratch.mine().path(path);
    return Libc.intCall(REMOVEXATTR, file, Scratch.mine().secondPath(name), 0, 0, 0);
  }

  /// @param attribute the address of its name, or 0 for a call that lists them
  private static int filling(long function, long file, long attribute, ByteBuffer target) {
    long address = Scratch.mine().addressOf(target.clear());
    long room = target.capacity();
    return (int)
        (attribute == 0
            ? Libc.call(function, file, address, room, 0, 0, 0)
            : Libc.call(function, file, attribute, address, room, 0, 0));
  }

  private static int setting(long function, long file, long attribute, ByteBuffer value) {
    long address = Scratch.mine().addressOf(value);
    return Libc.intCall(function, file, attribute, address, value.remaining(), 0);
  }
}

package dev.zcp.linux;

import java.nio.ByteBuffer;

/// The system calls on names in directories that are held open: one method each, the C prototype
/// above it. As in [Libc], a method gives what the call returned or minus the [error
/// number][Errno].
///
/// Names and paths are bytes without the closing NUL. One that is longer than PATH_MAX gives
/// `-ENAMETOOLONG`; one with a NUL in it must not come here, since the kernel would see less of it.
public final class Entries {

  /// In place of a directory's descriptor: the working directory.
  public static final int AT_FDCWD = -100;

  public static final int AT_SYMLINK_NOFOLLOW = 0x100;
  public static final int AT_SYMLINK_FOLLOW = 0x400;

  /// With an empty name: the descriptor itself.
  public static final int AT_EMPTY_PATH = 0x1000;

  /// [#renameat2]: fail with EEXIST rather than replace.
  public static final int RENAME_NOREPLACE = 1;

  /// [#unlinkat]: remove a directory, which must be empty.
  public static final int AT_REMOVEDIR = 0x200;

  // asm-generic/fcntl.h, which x86-64 and RISC-V use as it is.
  public static final int O_RDONLY = 0;
  public static final int O_RDWR = 2;
  public static final int O_CREAT = 0100;
  public static final int O_EXCL = 0200;
  public static final int O_NONBLOCK = 04000;

  /// aarch64 has its own numbers for three of them: arch/arm64/include/uapi/asm/fcntl.h.
  private static final boolean IS_ARM = "aarch64".equals(System.getProperty("os.arch"));

  public static final int O_DIRECTORY = IS_ARM ? 040000 : 0200000;
  public static final int O_NOFOLLOW = IS_ARM ? 0100000 : 0400000;
  public static final int O_DIRECT = IS_ARM ? 0200000 : 040000;

  /// Names in a directory may be used by such a descriptor; it can be neither listed nor forced.
  public static final int O_PATH = 010000000;

  private static final int O_CLOEXEC = 02000000;

  /// linux/openat2.h: no name, link or `..` on the way leads out of the directory, and no link of
  /// /proc is followed.
  private static final long RESOLVE_BENEATH = 8;

  private static final long RESOLVE_NO_MAGICLINKS = 2;

  /// `SYS_openat2`, which has one number for all processors, and no function in the C library.
  private static final long OPENAT2 = 437;

  /// `sizeof(struct open_how)`
  private static final int OPEN_HOW_BYTES = 3 * Long.BYTES;

  /// All that `struct stat` has: STATX_BASIC_STATS.
  private static final int STATX_BASIC_STATS = 0x7ff;

  private static final int SEEK_SET = 0;

  private static final byte[] EMPTY = {};

  private static final long SYSCALL = Native.find("syscall");
  private static final long OPENAT = Native.find("openat");
  private static final long STATX = Native.find("statx");
  private static final long GETDENTS64 = Native.find("getdents64");
  private static final long LSEEK = Native.find("lseek");
  private static final long MKDIRAT = Native.find("mkdirat");
  private static final long MKNODAT = Native.find("mknodat");
  private static final long SYMLINKAT = Native.find("symlinkat");
  private static final long READLINKAT = Native.find("readlinkat");
  private static final long LINKAT = Native.find("linkat");
  private static final long RENAMEAT2 = Native.find("renameat2");
  private static final long UNLINKAT = Native.find("unlinkat");

  private Entries() {}

  /// `int openat(int dirfd, const char *pathname, int flags, mode_t mode)`
  ///
  /// With O_CLOEXEC besides `flags`.
  public static int openat(int directory, byte[] name, int flags, int mode) {
    return Libc.intCall(OPENAT, directory, Scratch.mine().path(name), flags | O_CLOEXEC, mode, 0);
  }

  /// `long syscall(SYS_openat2, int dirfd, const char *pathname, struct open_how *how, size_t
  /// size)`
  ///
  /// Opens what exists and lies below `directory`: else `-EXDEV`, or `-EAGAIN` if that cannot be
  /// told because something was renamed meanwhile. Linux before 5.6 does not have it. With
  /// O_CLOEXEC besides `flags`.
  public static int openBelow(int directory, byte[] path, int flags) {
    Scratch scratch = Scratch.mine();
    long name = scratch.path(path);
    long how = scratch.struct(flags | O_CLOEXEC, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
    return (int) Libc.call(SYSCALL, OPENAT2, directory, name, how, OPEN_HOW_BYTES, 0);
  }

  /// `int statx(int dirfd, const char *pathname, int flags, STATX_BASIC_STATS, struct statx *buf)`
  ///
  /// What it found is for [#found] to tell.
  public static int statx(int directory, byte[] name, int flags) {
    Scratch scratch = Scratch.mine();
    long path = scratch.path(name);
    return Libc.intCall(STATX, directory, path, flags, STATX_BASIC_STATS, scratch.struct());
  }

  /// [#statx] of an open file.
  public static int statx(int file) {
    return statx(file, EMPTY, AT_EMPTY_PATH);
  }

  /// What the last [#statx] of this thread found, which must have given 0 and been its last call.
  public static FileStatus found() {
    return FileStatus.in(Scratch.mine());
  }

  /// `ssize_t getdents64(int fd, void *dirp, size_t count)`
  ///
  /// Fills `target`, a direct buffer, from its beginning on with `struct linux_dirent64`.
  ///
  /// @return how many bytes of it are filled, 0 at the end
  public static int getdents64(int directory, ByteBuffer target) {
    long address = Scratch.mine().addressOf(target.clear());
    return (int) Libc.call(GETDENTS64, directory, address, target.capacity(), 0, 0, 0);
  }

  /// `off_t lseek(int fd, off_t offset, SEEK_SET)`
  ///
  /// The next [#getdents64] goes on behind the entry whose `d_off` was `offset`; 0 is the
  /// beginning.
  public static long seek(int directory, long offset) {
    return Libc.call(LSEEK, directory, offset, SEEK_SET, 0, 0, 0);
  }

  /// `int mkdirat(int dirfd, const char *pathname, mode_t mode)`
  public static int mkdirat(int directory, byte[] name, int mode) {
    return Libc.intCall(MKDIRAT, directory, Scratch.mine().path(name), mode, 0, 0);
  }

  /// `int mknodat(int dirfd, const char *pathname, mode_t mode, dev_t dev)`
  ///
  /// @param mode with the type bits
  /// @param device as [FileStatus#represents] has it
  public static int mknodat(int directory, byte[] name, int mode, long device) {
    return Libc.intCall(MKNODAT, directory, Scratch.mine().path(name), mode, device, 0);
  }

  /// `int symlinkat(const char *target, int newdirfd, const char *linkpath)`
  public static int symlinkat(byte[] content, int directory, byte[] name) {
    Scratch scratch = Scratch.mine();
    long target = scratch.path(content);
    long path = scratch.secondPath(name);
    return Libc.intCall(SYMLINKAT, target, directory, path, 0, 0);
  }

  /// `ssize_t readlinkat(int dirfd, const char *pathname, char *buf, size_t bufsiz)`
  ///
  /// @return the length; [#content] has the bytes
  public static int readlinkat(int directory, byte[] name) {
    Scratch scratch = Scratch.mine();
    long path = scratch.secondPath(name);
    long buffer = scratch.path(EMPTY);
    return (int) Libc.call(READLINKAT, directory, path, buffer, Scratch.PATH_BYTES, 0, 0);
  }

  /// The bytes that the last [#readlinkat] of this thread gave the `length` of.
  public static byte[] content(int length) {
    return Scratch.mine().readPath(length);
  }

  /// `int linkat(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, int flags)`
  public static int linkat(int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    return twoPaths(LINKAT, fromDirectory, from, toDirectory, to, flags);
  }

  /// `int renameat2(int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned
  /// int flags)`
  public static int renameat2(
      int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    return twoPaths(RENAMEAT2, fromDirectory, from, toDirectory, to, flags);
  }

  /// `int unlinkat(int dirfd, const char *pathname, int flags)`
  public static int unlinkat(int directory, byte[] name, int flags) {
    return Libc.intCall(UNLINKAT, directory, Scratch.mine().path(name), flags, 0, 0);
  }

  private static int twoPaths(
      long function, int fromDirectory, byte[] from, int toDirectory, byte[] to, int flags) {
    Scratch scratch = Scratch.mine();
    long fromPath = scratch.path(from);
    long toPath = scratch.secondPath(to);
    return Libc.intCall(function, fromDirectory, fromPath, toDirectory, toPath, flags);
  }
}

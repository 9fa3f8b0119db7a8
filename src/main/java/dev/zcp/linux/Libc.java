package dev.zcp.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Optional;

/// The system calls that Java has no method for: one method each, the C prototype above it.
///
/// A method gives what the call returned, or minus the [error number][Errno]: a kernel's "no" is a
/// value here and never an exception. Where there is no such call to make ([#obstacle], or a C
/// library without the function) that value is `-ENOSYS`.
///
/// **One handle for all calls.** A handle of the foreign function API costs a cold process about 20
/// ms with an AOT cache and 55 ms without, most of it classes spun at run time that no cache holds;
/// each further signature adds about as much again (five calls with a handle each: 46 and 79 ms;
/// through the one below: 21 and 56 ms). So all calls share one signature of six longs and take the
/// function's address as their first argument. That is the calling convention and no trick: on the
/// architectures of [#SERVED] integers and pointers go in 64-bit registers, a callee reads the low
/// 32 bits of an `int` (sign-extended here, as RISC-V asks), and looks at no register it has no
/// parameter for; variadic functions find their arguments in the same registers. A result of C's
/// `int` leaves the upper half of the register undefined and is cut to 32 bits here.
///
/// **These calls block, and Java cannot see it.** Neither interrupt nor close frees a thread from
/// one: use platform threads, free a stuck socket by shutdown, and let nobody close a descriptor
/// that a call may be using, since its number may by then belong to another file.
///
/// Calls that only measure are made through the same handle by [Instruments].
public final class Libc {

  /// Says "where the descriptor stands", in place of an offset.
  public static final long NO_OFFSET = -1;

  /// [#splice]: more will follow, so a socket may wait for a full segment.
  public static final int SPLICE_F_MORE = 4;

  /// The values of `os.arch` on which the one signature, the error numbers and the ioctl numbers
  /// below hold.
  private static final String SERVED = " amd64 aarch64 riscv64 ";

  /// A signal handler that restarts nothing may interrupt a call, but not for ever.
  private static final int INTERRUPTIONS_MAX = 100;

  private static final int O_CLOEXEC = 0x80000;

  // asm-generic/fcntl.h
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;

  private static final int F_SETPIPE_SZ = 1031;
  private static final int F_GETPIPE_SZ = 1032;

  // include/uapi/linux/fs.h: _IOW(0x94, 9, int), _IOW(0x94, 13, struct file_clone_range)
  private static final long FICLONE = 0x40049409L;
  private static final long FICLONERANGE = 0x4020940DL;

  private static final String OBSTACLE = findObstacle();

  /// Turns true once and stays so.
  private static volatile boolean bound;

  private Libc() {}

  /// Why no call can be made in this process, as a phrase a user can read; empty where calls can be
  /// made. Binds nothing.
  public static Optional<String> obstacle() {
    return Optional.ofNullable(OBSTACLE);
  }

  /// Whether the cost of binding has been paid.
  public static boolean isBound() {
    return bound;
  }

  /// Binds now, and makes a call in vain, so that whoever makes the first real one finds everything
  /// linked: for a thread that has nothing better to do.
  public static void bind() {
    close(-1);
  }

  /// `ssize_t copy_file_range(int fd_in, off_t *off_in, int fd_out, off_t *off_out, size_t size,
  /// unsigned int flags)`
  ///
  /// Either offset may be [#NO_OFFSET].
  public static long copyFileRange(int from, long fromOffset, int to, long toOffset, long bytes) {
    Scratch scratch = Scratch.mine();
    return call(
        Bound.COPY_FILE_RANGE,
        from,
        scratch.source(fromOffset),
        to,
        scratch.target(toOffset),
        bytes,
        0);
  }

  /// `ssize_t splice(int fd_in, off_t *off_in, int fd_out, off_t *off_out, size_t size, unsigned
  /// int flags)`
  ///
  /// An end that cannot seek takes [#NO_OFFSET].
  public static long splice(
      int from, long fromOffset, int to, long toOffset, long bytes, int flags) {
    Scratch scratch = Scratch.mine();
    return call(
        Bound.SPLICE, from, scratch.source(fromOffset), to, scratch.target(toOffset), bytes, flags);
  }

  /// `ssize_t sendfile(int out_fd, int in_fd, off_t *offset, size_t count)`
  public static long sendfile(int to, int from, long fromOffset, long bytes) {
    return call(Bound.SENDFILE, to, from, Scratch.mine().source(fromOffset), bytes, 0, 0);
  }

  /// `int ioctl(int dest_fd, FICLONE, int src_fd)`: ioctl_ficlone(2)
  public static int ficlone(int to, int from) {
    return (int) intCall(Bound.IOCTL, to, FICLONE, from, 0, 0);
  }

  /// `int ioctl(int dest_fd, FICLONERANGE, struct file_clone_range *arg)`: ioctl_ficlonerange(2)
  ///
  /// @param bytes how many to share; 0 means all up to the end of the source
  public static int ficloneRange(int to, long toOffset, int from, long fromOffset, long bytes) {
    long range = Scratch.mine().cloneRange(from, fromOffset, bytes, toOffset);
    return (int) intCall(Bound.IOCTL, to, FICLONERANGE, range, 0, 0);
  }

  /// `int pipe2(int pipefd[2], O_CLOEXEC)`
  ///
  /// @param ends gets the reading end, then the writing end, where the call gives 0
  public static int pipe(int[] ends) {
    Scratch scratch = Scratch.mine();
    int result = (int) intCall(Bound.PIPE2, scratch.pipe(), O_CLOEXEC, 0, 0, 0);
    if (result == 0) {
      scratch.readPipe(ends);
    }
    return result;
  }

  /// `int fcntl(int fd, F_SETPIPE_SZ, int size)`
  ///
  /// @return the capacity granted, which may be more than `bytes`
  public static int setPipeCapacity(int pipe, int bytes) {
    return (int) intCall(Bound.FCNTL, pipe, F_SETPIPE_SZ, bytes, 0, 0);
  }

  /// `int fcntl(int fd, F_GETPIPE_SZ)`
  public static int pipeCapacity(int pipe) {
    return (int) intCall(Bound.FCNTL, pipe, F_GETPIPE_SZ, 0, 0, 0);
  }

  /// `ssize_t read(int fd, void *buf, size_t count)`
  ///
  /// Fills `target`, a direct buffer, from its position on and advances it.
  ///
  /// @return the count, 0 at the end
  public static int read(int from, ByteBuffer target) {
    return transfer(Bound.READ, from, target, 0);
  }

  /// `ssize_t pread(int fd, void *buf, size_t count, off_t offset)`
  ///
  /// As [#read], at `offset`.
  public static int pread(int from, ByteBuffer target, long offset) {
    return transfer(Bound.PREAD, from, target, offset);
  }

  /// `ssize_t write(int fd, const void *buf, size_t count)`
  ///
  /// Writes what remains of `bytes`, a direct buffer, and advances it by what was taken.
  public static int write(int to, ByteBuffer bytes) {
    return transfer(Bound.WRITE, to, bytes, 0);
  }

  /// `ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)`
  ///
  /// As [#write], at `offset`.
  public static int pwrite(int to, ByteBuffer bytes, long offset) {
    return transfer(Bound.PWRITE, to, bytes, offset);
  }

  /// `int close(int fd)`
  ///
  /// Never made again after EINTR: on Linux the descriptor is gone by then, see close(2).
  public static int close(int descriptor) {
    return (int) callOnce(Bound.CLOSE, descriptor, 0, 0, 0, 0, 0, true);
  }

  /// `int fallocate(int fd, 0, off_t offset, off_t size)`
  ///
  /// Gives the range its blocks and lengthens the file where it ends later.
  public static int fallocate(int file, long offset, long bytes) {
    return (int) intCall(Bound.FALLOCATE, file, 0, offset, bytes, 0);
  }

  /// `int flock(int fd, LOCK_EX | LOCK_NB)`
  ///
  /// The lock belongs to what [Entries#openat] opened: opening the file once more in this process
  /// does not share it, and closing that does not release it.
  ///
  /// @return `-EAGAIN` where somebody has it
  public static int flock(int file) {
    return (int) intCall(Bound.FLOCK, file, LOCK_EX | LOCK_NB, 0, 0, 0);
  }

  /// The address of a function of the C library; NULL where it has none of this name, or where no
  /// call can be made.
  static MemorySegment function(String name) {
    return Bound.SYMBOLS.find(name).orElse(MemorySegment.NULL);
  }

  private static int transfer(
      MemorySegment function, int descriptor, ByteBuffer buffer, long offset) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the kernel reaches direct buffers only");
    }
    try {
      long address = Scratch.mine().addressOf(buffer);
      long result = call(function, descriptor, address, buffer.remaining(), offset, 0, 0);
      if (result > 0) {
        buffer.position(buffer.position() + (int) result);
      }
      return (int) result;
    } finally {
      Reference.reachabilityFence(buffer);
    }
  }

  static long intCall(
      MemorySegment function, long first, long second, long third, long fourth, long fifth) {
    return repeated(function, first, second, third, fourth, fifth, 0, true);
  }

  static long call(
      MemorySegment function,
      long first,
      long second,
      long third,
      long fourth,
      long fifth,
      long sixth) {
    return repeated(function, first, second, third, fourth, fifth, sixth, false);
  }

  private static long repeated(
      MemorySegment function,
      long first,
      long second,
      long third,
      long fourth,
      long fifth,
      long sixth,
      boolean isInt) {
    long result = -Errno.EINTR;
    for (int i = 0; i < INTERRUPTIONS_MAX && result == -Errno.EINTR; i++) {
      result = callOnce(function, first, second, third, fourth, fifth, sixth, isInt);
    }
    return result;
  }

  /// @param isInt whether the function returns C's `int` and not a `long` or `ssize_t`
  private static long callOnce(
      MemorySegment function,
      long first,
      long second,
      long third,
      long fourth,
      long fifth,
      long sixth,
      boolean isInt) {
    if (function.address() == 0) {
      return -Errno.ENOSYS;
    }
    Scratch scratch = Scratch.mine();
    long result;
    try {
      result =
          (long)
              Bound.CALL.invokeExact(
                  function, scratch.memory(), first, second, third, fourth, fifth, sixth);
    } catch (Throwable e) {
      throw new AssertionError("a call into the C library throws nothing", e);
    }
    long value = isInt ? (int) result : result;
    return value == -1 ? -scratch.errno() : value;
  }

  private static String findObstacle() {
    if (!"Linux".equals(System.getProperty("os.name"))) {
      return "needs Linux";
    }
    String architecture = System.getProperty("os.arch");
    if (!SERVED.contains(" " + architecture + " ")) {
      return "needs a processor whose calls are known here, and this is " + architecture;
    }
    // Without the flag the first call would print four lines of warning, or fail.
    if (!Libc.class.getModule().isNativeAccessEnabled()) {
      return "needs native access (java --enable-native-access=ALL-UNNAMED)";
    }
    return null;
  }

  /// The handle and the addresses: initialised by the first call.
  private static final class Bound {

    static final MethodHandle CALL;
    static final SymbolLookup SYMBOLS;
    static final MemorySegment COPY_FILE_RANGE;
    static final MemorySegment SPLICE;
    static final MemorySegment SENDFILE;
    static final MemorySegment IOCTL;
    static final MemorySegment PIPE2;
    static final MemorySegment FCNTL;
    static final MemorySegment READ;
    static final MemorySegment WRITE;
    static final MemorySegment PREAD;
    static final MemorySegment PWRITE;
    static final MemorySegment CLOSE;
    static final MemorySegment FALLOCATE;
    static final MemorySegment FLOCK;

    static {
      boolean possible = OBSTACLE == null;
      CALL = possible ? bind() : null;
      SYMBOLS = possible ? Linker.nativeLinker().defaultLookup() : name -> Optional.empty();
      COPY_FILE_RANGE = function("copy_file_range");
      SPLICE = function("splice");
      SENDFILE = function("sendfile");
      IOCTL = function("ioctl");
      PIPE2 = function("pipe2");
      FCNTL = function("fcntl");
      READ = function("read");
      WRITE = function("write");
      PREAD = function("pread");
      PWRITE = function("pwrite");
      CLOSE = function("close");
      FALLOCATE = function("fallocate");
      FLOCK = function("flock");
      if (possible) {
        warmUp();
      }
      bound = possible;
    }

    private Bound() {}

    @SuppressWarnings("restricted")
    private static MethodHandle bind() {
      ValueLayout word = ValueLayout.JAVA_LONG;
      return Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(word, word, word, word, word, word, word),
              Linker.Option.captureCallState("errno"));
    }

    /// The handle links when it is first invoked: closing no descriptor pays for that here.
    private static void warmUp() {
      MemorySegment memory = Scratch.mine().memory();
      try {
        long ignored = (long) CALL.invokeExact(CLOSE, memory, -1L, 0L, 0L, 0L, 0L, 0L);
      } catch (Throwable e) {
        throw new AssertionError("a call into the C library throws nothing", e);
      }
    }
  }
}

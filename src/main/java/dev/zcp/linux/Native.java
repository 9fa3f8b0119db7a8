package dev.zcp.linux;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channel;

/// Calls functions of the C library: through `libzcp.so` (`src/main/c/zcp.c`, by JNI), or through
/// the foreign function API if that library is not there or damaged. Only [Signals] knows which.
///
/// JNI costs a process nothing to begin with. A handle of the foreign function API costs 50 ms,
/// most of it classes spun at run time that no AOT cache holds, so there is one handle for all
/// calls.
///
/// **All calls share one signature**, six longs and a long for the result. On the processors that
/// are served that is the calling convention: integers and pointers go in 64-bit registers, a
/// callee reads the low 32 bits of an `int` (sign-extended here, as RISC-V asks) and no register
/// that it has no parameter for, and variadic functions find their arguments in the same registers.
/// A result of C's `int` leaves the upper half of its register undefined and is cut to 32 bits.
final class Native {

  /// Below the folder that zcp is installed in, which the launcher names.
  private static final String LIBRARY = "/lib/libzcp.so";

  // Where elf(5) has these fields in a header of 64 bits.
  private static final int E_SHOFF = 0x28;
  private static final int E_SHENTSIZE = 0x3a;
  private static final int E_SHNUM = 0x3c;
  private static final int ELF_HEADER_BYTES = 0x40;

  /// The values of `os.arch` on which the one signature, the error numbers and the ioctl numbers of
  /// [Libc] hold.
  private static final String SERVED = " amd64 aarch64 riscv64 ";

  // In this order. Nothing that looks for a function may run before the library is loaded, or the
  // first calls go the slow way.
  static final String OBSTACLE = findObstacle();
  private static final boolean HAS_LIBRARY = load();

  private Native() {}

  /// Whether calls go by JNI: for tests, which try both ways.
  static boolean hasLibrary() {
    return HAS_LIBRARY;
  }

  /// The address of the function of this name; 0 if the C library has none, or if no call can be
  /// made.
  static long find(String name) {
    if (OBSTACLE != null) {
      return 0;
    }
    return HAS_LIBRARY ? findByJni(name) : Foreign.find(name);
  }

  /// Calls a function with as many of the arguments as it has.
  ///
  /// @param function its address, not 0
  /// @param isInt whether it returns C's `int`, and not a `long` or `ssize_t`
  /// @return its result, or minus the [error number][Errno] if that is -1
  static long call(long function, long a, long b, long c, long d, long e, long f, boolean isInt) {
    return HAS_LIBRARY
        ? callByJni(function, a, b, c, d, e, f, isInt)
        : Foreign.call(function, a, b, c, d, e, f, isInt);
  }

  /// The address of the first byte of a direct buffer, wherever its position is.
  static long address(ByteBuffer direct) {
    return HAS_LIBRARY
        ? addressByJni(direct)
        : MemorySegment.ofBuffer(direct.duplicate().clear()).address();
  }

  /// The descriptor of a file or socket channel, or -1 if it cannot be known. Only if there is the
  /// [library][#hasLibrary].
  static native int descriptorByJni(Channel channel);

  private static native long findByJni(String name);

  private static native long callByJni(
      long function, long a, long b, long c, long d, long e, long f, boolean isInt);

  private static native long addressByJni(ByteBuffer direct);

  private static String findObstacle() {
    if (!"Linux".equals(System.getProperty("os.name"))) {
      return "needs Linux";
    }
    String architecture = System.getProperty("os.arch");
    if (!SERVED.contains(" " + architecture + " ")) {
      return "needs a processor whose calls are known here, and this is " + architecture;
    }
    // Without the flag the first call would print four lines of warning, or fail.
    if (!Native.class.getModule().isNativeAccessEnabled()) {
      return "needs native access (java --enable-native-access=ALL-UNNAMED)";
    }
    return null;
  }

  @SuppressWarnings("restricted")
  private static boolean load() {
    String home = System.getProperty("zcp.home");
    if (home == null || OBSTACLE != null) {
      return false;
    }
    // The JVM takes absolute names only.
    File library = new File(home + LIBRARY).getAbsoluteFile();
    if (!isWhole(library)) {
      return false;
    }
    try {
      System.load(library.getPath());
      return true;
    } catch (UnsatisfiedLinkError e) {
      // It is damaged, or for another processor: the other way works just as well.
      return false;
    }
  }

  /// Whether the file is as long as its header says: elf(5). The dynamic loader looks at no length
  /// and maps what is missing, of which the process would die.
  private static boolean isWhole(File library) {
    byte[] start = new byte[ELF_HEADER_BYTES];
    try (FileInputStream in = new FileInputStream(library)) {
      if (in.readNBytes(start, 0, start.length) < start.length) {
        return false;
      }
    } catch (IOException e) {
      // It was not built.
      return false;
    }
    ByteBuffer header = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
    // The table of sections is the last thing in the file.
    long sections = header.getLong(E_SHOFF);
    long end = sections + (long) header.getShort(E_SHENTSIZE) * header.getShort(E_SHNUM);
    return library.length() >= end;
  }

  /// The way by the foreign function API: linked by the first call.
  private static final class Foreign {

    private static final MethodHandle CALL = link();

    private static final ThreadLocal<ByteBuffer> ERRNO =
        ThreadLocal.withInitial(
            () -> ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder()));

    private Foreign() {}

    static long find(String name) {
      return Linker.nativeLinker()
          .defaultLookup()
          .find(name)
          .map(MemorySegment::address)
          .orElse(0L);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
      ValueLayout word = ValueLayout.JAVA_LONG;
      return Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(word, word, word, word, word, word, word),
              Linker.Option.captureCallState("errno"));
    }

    static long call(long function, long a, long b, long c, long d, long e, long f, boolean isInt) {
      ByteBuffer errno = ERRNO.get();
      long word;
      try {
        word =
            (long)
                CALL.invokeExact(
                    MemorySegment.ofAddress(function),
                    MemorySegment.ofBuffer(errno),
                    a,
                    b,
                    c,
                    d,
                    e,
                    f);
      } catch (Error noMemory) {
        throw noMemory;
      } catch (Throwable t) {
        throw new AssertionError("a call into the C library throws nothing", t);
      }
      long result = isInt ? (int) word : word;
      return result == -1 ? -errno.getInt(0) : result;
    }
  }
}

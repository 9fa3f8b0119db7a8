package dev.zcp.linux;

/// The system calls that measure, or prepare a measurement: one method each, as in [Libc], through
/// whose handle they go. A method gives what the call returned, or minus the [error number][Errno].
public final class Instruments {

  /// How many longs a `struct rusage` is made of, and where among them each figure stands.
  public static final int RUSAGE_LONGS = 18;

  public static final int USER_S = 0;
  public static final int USER_US = 1;
  public static final int SYSTEM_S = 2;
  public static final int SYSTEM_US = 3;
  public static final int MINOR_FAULTS = 8;
  public static final int MAJOR_FAULTS = 9;
  public static final int VOLUNTARY_SWITCHES = 16;
  public static final int INVOLUNTARY_SWITCHES = 17;

  private static final int RUSAGE_SELF = 0;
  private static final int RUSAGE_THREAD = 1;
  private static final int CLOCK_THREAD_CPUTIME_ID = 3;
  private static final long NS_PER_S = 1_000_000_000;
  private static final int POSIX_FADV_DONTNEED = 4;
  private static final long PR_SET_PTRACER = 0x59616d61;

  // include/uapi/linux/perf_event.h
  private static final long PERF_TYPE_TRACEPOINT = 2;
  private static final long PERF_ATTR_SIZE_VER0 = 64;
  private static final long PERF_FLAG_FD_CLOEXEC = 8;

  private static final int CALLING_THREAD = 0;
  private static final int ANY_PROCESSOR = -1;
  private static final int NO_GROUP = -1;

  /// `SYS_perf_event_open`: the generic number, but for x86-64's own.
  private static final long PERF_EVENT_OPEN =
      "amd64".equals(System.getProperty("os.arch")) ? 298 : 241;

  private static final long GETRUSAGE = Native.find("getrusage");
  private static final long CLOCK_GETTIME = Native.find("clock_gettime");
  private static final long SYSCALL = Native.find("syscall");
  private static final long POSIX_FADVISE = Native.find("posix_fadvise");
  private static final long PRCTL = Native.find("prctl");
  private static final long MINCORE = Native.find("mincore");

  private Instruments() {}

  /// `int getrusage(RUSAGE_THREAD, struct rusage *usage)`
  ///
  /// @param usage gets [#RUSAGE_LONGS] figures if the call gives 0
  public static int threadUsage(long[] usage) {
    return usage(RUSAGE_THREAD, usage);
  }

  /// `int getrusage(RUSAGE_SELF, struct rusage *usage)`
  ///
  /// @param usage as that of [#threadUsage]: of all threads, those that ended among them
  public static int processUsage(long[] usage) {
    return usage(RUSAGE_SELF, usage);
  }

  private static int usage(int who, long[] usage) {
    Scratch scratch = Scratch.mine();
    int result = Libc.intCall(GETRUSAGE, who, scratch.struct(), 0, 0, 0);
    if (result == 0) {
      scratch.readStruct(usage);
    }
    return result;
  }

  /// `int clock_gettime(CLOCK_THREAD_CPUTIME_ID, struct timespec *tp)`
  ///
  /// One system call: the C library knows of no other way to this clock.
  ///
  /// @return how long the calling thread ran, in nanoseconds, up to this very moment
  public static long threadTimeNs() {
    Scratch scratch = Scratch.mine();
    long[] time = new long[2];
    int result = Libc.intCall(CLOCK_GETTIME, CLOCK_THREAD_CPUTIME_ID, scratch.struct(), 0, 0, 0);
    if (result < 0) {
      return result;
    }
    scratch.readStruct(time);
    return time[0] * NS_PER_S + time[1];
  }

  /// `long syscall(SYS_perf_event_open, struct perf_event_attr *attr, pid_t pid, int cpu, int
  /// group_fd, unsigned long flags)`
  ///
  /// Begins to count how often the calling thread passes a tracepoint; read(2) of the descriptor
  /// gives the count, as 64 bits.
  ///
  /// @param tracepoint what tracefs says in the `id` of the event
  /// @return a descriptor, to be closed
  public static int countTracepoint(long tracepoint) {
    // type and size are 32 bits each, and every processor of Libc is little-endian; then config.
    long attributes =
        Scratch.mine()
            .struct(PERF_TYPE_TRACEPOINT | PERF_ATTR_SIZE_VER0 << 32, tracepoint, 0, 0, 0, 0, 0, 0);
    return (int)
        Libc.call(
            SYSCALL,
            PERF_EVENT_OPEN,
            attributes,
            CALLING_THREAD,
            ANY_PROCESSOR,
            NO_GROUP,
            PERF_FLAG_FD_CLOEXEC);
  }

  /// `int posix_fadvise(int fd, 0, 0, POSIX_FADV_DONTNEED)`
  ///
  /// Puts the clean pages of the whole file out of the page cache, as far as nobody has them
  /// mapped.
  public static int dropPages(int file) {
    int result = Libc.intCall(POSIX_FADVISE, file, 0, 0, POSIX_FADV_DONTNEED, 0);
    // Unlike the others this one returns the number of its error and sets no errno.
    return result > 0 ? -result : result;
  }

  /// `int prctl(PR_SET_PTRACER, pid_t pid)`
  ///
  /// Lets `process` and its descendants trace this one. The Yama module lets nobody but an ancestor
  /// do so; EINVAL if there is no such module. 0 takes the permission back.
  public static int setTracer(long process) {
    return Libc.intCall(PRCTL, PR_SET_PTRACER, process, 0, 0, 0);
  }

  /// `int mincore(void *addr, size_t length, unsigned char *vec)`: see [Mapping#residentPages]
  static int mincore(long address, long bytes, long residence) {
    return Libc.intCall(MINCORE, address, bytes, residence, 0, 0);
  }
}

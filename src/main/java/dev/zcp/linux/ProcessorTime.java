package dev.zcp.linux;

/// How much of the processors' time this process took: clock_gettime(2).
public final class ProcessorTime {

  // include/uapi/linux/time.h
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

  private static final long NS_PER_SECOND = 1_000_000_000;

  private static final long CLOCK_GETTIME = Libc.function("clock_gettime");

  private ProcessorTime() {}

  /// That of all threads since the process began; -1 if it cannot be known.
  public static long ns() {
    if (Libc.obstacle().isPresent()) {
      return -1;
    }
    Scratch scratch = Scratch.mine();
    int result = Libc.intCall(CLOCK_GETTIME, CLOCK_PROCESS_CPUTIME_ID, scratch.struct(), 0, 0, 0);
    long seconds = scratch.structLong(0);
    return result < 0 ? -1 : seconds * NS_PER_SECOND + scratch.structLong(Long.BYTES);
  }
}

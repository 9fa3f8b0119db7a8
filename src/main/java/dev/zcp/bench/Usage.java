package dev.zcp.bench;

import dev.zcp.linux.Errno;
import dev.zcp.linux.Instruments;
import dev.zcp.linux.Libc;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// What one thread used between two moments: getrusage(2) with RUSAGE_THREAD.
///
/// The two times together are how long the thread ran, to the moment. How that divides is known by
/// samples only: each tick of the kernel's clock finds the thread in one mode or the other.
///
/// @param userNs time in user mode, to the microsecond
/// @param systemNs time in the kernel, to the microsecond
/// @param voluntarySwitches context switches because it waited
/// @param involuntarySwitches context switches because its time was up
/// @param minorFaults page faults that needed no device
/// @param majorFaults page faults that did
public record Usage(
    long userNs,
    long systemNs,
    long voluntarySwitches,
    long involuntarySwitches,
    long minorFaults,
    long majorFaults) {

  /// In place of a count that nobody made.
  public static final long UNKNOWN = -1;

  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

  /// What the calling thread has used up to now.
  ///
  /// getrusage(2) tells how long a thread ran up to the kernel's last look at it, which may be
  /// milliseconds ago. To ask for the thread's own clock is a look too, so that comes first.
  ///
  /// @throws IOException if it cannot be had at all, as a phrase a user can read
  static Usage now() throws IOException {
    if (Libc.obstacle().isPresent()) {
      throw new IOException(
          "what a thread uses cannot be counted: getrusage(2) " + Libc.obstacle().get());
    }
    long[] usage = new long[Instruments.RUSAGE_LONGS];
    long time = Instruments.threadTimeNs();
    long result = time < 0 ? time : Instruments.threadUsage(usage);
    if (result < 0) {
      throw new AssertionError("the usage of a thread: " + Errno.sentence((int) -result));
    }
    return new Usage(
        ns(usage[Instruments.USER_S], usage[Instruments.USER_US]),
        ns(usage[Instruments.SYSTEM_S], usage[Instruments.SYSTEM_US]),
        usage[Instruments.VOLUNTARY_SWITCHES],
        usage[Instruments.INVOLUNTARY_SWITCHES],
        usage[Instruments.MINOR_FAULTS],
        usage[Instruments.MAJOR_FAULTS]);
  }

  Usage since(Usage earlier) {
    return new Usage(
        userNs - earlier.userNs,
        systemNs - earlier.systemNs,
        voluntarySwitches - earlier.voluntarySwitches,
        involuntarySwitches - earlier.involuntarySwitches,
        minorFaults - earlier.minorFaults,
        majorFaults - earlier.majorFaults);
  }

  long contextSwitches() {
    return voluntarySwitches + involuntarySwitches;
  }

  private static long ns(long seconds, long microseconds) {
    return TimeUnit.SECONDS.toNanos(seconds) + TimeUnit.MICROSECONDS.toNanos(microseconds);
  }
}

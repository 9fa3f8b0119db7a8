package dev.zcp.bench.count;

import dev.zcp.linux.Errno;
import dev.zcp.linux.Instruments;
import java.util.concurrent.TimeUnit;

/// getrusage(2) of the calling thread beside a count of its system calls.
///
/// getrusage(2) tells how long a thread ran up to the kernel's last look at it, which is a tick of
/// its clock or a switch and may be milliseconds ago. To ask for the thread's own clock is a look
/// too, so that comes first, and user and system time together are those of this moment.
///
/// A reading makes three system calls of its own, clock_gettime(2), getrusage(2) and the one that
/// asks for the count. The count leaves out those of all readings, so that two readings in a row
/// differ by none.
final class ThreadCounter implements UsageCounter {

  private final SystemCalls calls;
  private final long[] usage = new long[Instruments.RUSAGE_LONGS];

  ThreadCounter(SystemCalls calls) {
    this.calls = calls;
  }

  @Override
  public Usage read() {
    long time = Instruments.threadTimeNs();
    if (time < 0) {
      throw new AssertionError("clock_gettime(2) of a thread: " + Errno.sentence((int) -time));
    }
    int result = Instruments.threadUsage(usage);
    if (result < 0) {
      throw new AssertionError("getrusage(2) of a thread: " + Errno.sentence(-result));
    }
    long systemCalls = calls.countBesideReadings();
    return new Usage(
        ns(Instruments.USER_S, Instruments.USER_US),
        ns(Instruments.SYSTEM_S, Instruments.SYSTEM_US),
        usage[Instruments.VOLUNTARY_SWITCHES],
        usage[Instruments.INVOLUNTARY_SWITCHES],
        usage[Instruments.MINOR_FAULTS],
        usage[Instruments.MAJOR_FAULTS],
        systemCalls);
  }

  @Override
  public SystemCallCount systemCallCount() {
    return calls.kind();
  }

  @Override
  public String note() {
    return calls.note();
  }

  @Override
  public void close() {
    calls.close();
  }

  private long ns(int seconds, int microseconds) {
    return TimeUnit.SECONDS.toNanos(usage[seconds])
        + TimeUnit.MICROSECONDS.toNanos(usage[microseconds]);
  }
}

package dev.zcp.bench;

import dev.zcp.linux.Errno;
import dev.zcp.linux.Instruments;
import dev.zcp.linux.Libc;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// Counts what the thread that opened it makes the kernel do, and is to be read by that thread
/// alone: getrusage(2) beside a count of its system calls.
///
/// getrusage(2) tells how long a thread ran up to the kernel's last look at it, which is a tick of
/// its clock or a switch and may be milliseconds ago. To ask for the thread's own clock is a look
/// too, so that comes first, and user and system time together are those of this moment.
///
/// A reading makes three system calls of its own, clock_gettime(2), getrusage(2) and the one that
/// asks for the count. The count leaves out those of all readings, so that two readings in a row
/// differ by none.
final class UsageCounter implements Closeable {

  private final SystemCalls calls;
  private final long[] usage = new long[Instruments.RUSAGE_LONGS];

  private UsageCounter(SystemCalls calls) {
    this.calls = calls;
  }

  /// With the best count of system calls that can be had here: all of them if the kernel's
  /// tracepoint may be used, else reads and writes, else none.
  ///
  /// While the tracepoint counts, every system call of every process takes a little longer: on one
  /// machine 190 ns and not 155 for a close(2) in vain. [#openWithoutSystemCalls] is for runs whose
  /// calls are that short.
  ///
  /// @throws IOException if a thread's usage cannot be had at all, as a phrase a user can read
  static UsageCounter open() throws IOException {
    return open(SystemCalls.best());
  }

  /// One that leaves system calls uncounted and costs nothing between two readings.
  ///
  /// @throws IOException as [#open()]
  static UsageCounter openWithoutSystemCalls() throws IOException {
    return open(new SystemCalls.Uncounted("nobody asked"));
  }

  static UsageCounter open(SystemCalls calls) throws IOException {
    String obstacle = Libc.obstacle().orElse(null);
    if (obstacle != null) {
      calls.close();
      throw new IOException("what a thread uses cannot be counted: getrusage(2) " + obstacle);
    }
    return new UsageCounter(calls);
  }

  /// What this thread has used up to now: to be compared with an earlier or later answer.
  Usage read() {
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

  /// Which system calls [Usage#systemCalls] holds.
  CallCount.Kind kind() {
    return calls.kind();
  }

  /// Why not all system calls are counted, and what would help: a phrase a user can read; empty if
  /// all are.
  String note() {
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

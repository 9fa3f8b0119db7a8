package dev.zcp.bench.count;

import dev.zcp.linux.Libc;
import java.io.IOException;

/// Begins to count what a thread makes the kernel do.
public final class UsageCounters {

  private UsageCounters() {}

  /// A counter of the calling thread, with the best count of system calls that can be had here: all
  /// of them where the kernel's tracepoint may be used, else reads and writes, else none.
  ///
  /// While a counter by tracepoint is open, anywhere on the machine, every system call of every
  /// process takes a little longer: see [#openWithoutSystemCalls] for runs against the clock.
  ///
  /// @throws IOException where a thread's usage cannot be had at all, as a phrase a user can read
  public static UsageCounter open() throws IOException {
    return open(SystemCalls.best());
  }

  /// A counter of the calling thread that leaves system calls uncounted and costs nothing between
  /// two readings.
  ///
  /// @throws IOException as [#open()]
  public static UsageCounter openWithoutSystemCalls() throws IOException {
    return open(new SystemCalls.Uncounted("nobody asked"));
  }

  static UsageCounter open(SystemCalls calls) throws IOException {
    String obstacle = Libc.obstacle().orElse(null);
    if (obstacle != null) {
      calls.close();
      throw new IOException("what a thread uses cannot be counted: getrusage(2) " + obstacle);
    }
    return new ThreadCounter(calls);
  }
}

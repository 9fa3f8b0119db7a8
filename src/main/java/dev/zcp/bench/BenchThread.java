package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.Daemon;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Makes runs, one after the other: each on a platform thread, since the calls below it block, and
/// what is counted is counted for a thread.
///
/// A new thread for each run, since the JDK keeps for a thread whatever memory its reads and writes
/// of heap buffers took outside of the heap: a run must neither find what one before it left there,
/// nor be refused memory because of it.
///
/// @param runNsMax the most that one run may take
record BenchThread(Host host, long runNsMax) {

  /// How long a run that was told to end may take to do so.
  private static final long END_MS_MAX = 10_000;

  @FunctionalInterface
  interface TimedWork {
    void run() throws Exception;
  }

  /// A run that was made.
  ///
  /// @param startedNs by [System#nanoTime], as is `endedNs`
  /// @param failure what was thrown, or null
  record TimedRun(
      long startedNs, long endedNs, Usage usage, CallCount callCount, Throwable failure) {

    /// The same, if somebody else was through only at `otherNs`.
    TimedRun endedBy(long otherNs) {
      return new TimedRun(startedNs, Math.max(endedNs, otherNs), usage, callCount, failure);
    }

    private static TimedRun failed(Throwable failure) {
      return new TimedRun(0, 0, Usage.NONE, CallCount.NONE, failure);
    }
  }

  /// Runs `work` and waits for it. Work that does not end in time is told to: `abort` is called,
  /// and its thread interrupted. If it does not end even so, as in a system call that nobody can
  /// interrupt, its thread is left behind.
  ///
  /// @throws InterruptedException if the calling thread is to end
  TimedRun run(CellRuns.Phase phase, TimedWork work, Runnable abort) throws InterruptedException {
    boolean isCounted = phase == CellRuns.Phase.SYSTEM_CALLS;
    FutureTask<TimedRun> task = new FutureTask<>(() -> isCounted ? counted(work) : timed(work));
    Thread thread = Daemon.start(task, "zcp-bench-run");
    try {
      return task.get(runNsMax, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      return TimedRun.failed(e.getCause());
    } catch (TimeoutException e) {
      abort.run();
      thread.interrupt();
      thread.join(END_MS_MAX);
      String rest = thread.isAlive() ? ", and still runs beside the others" : "";
      long seconds = TimeUnit.NANOSECONDS.toSeconds(runNsMax);
      return TimedRun.failed(new IOException("did not end within " + seconds + " s" + rest));
    }
  }

  private static TimedRun timed(TimedWork work) throws Exception {
    Usage before = Usage.now();
    long startedNs = System.nanoTime();
    work.run();
    long endedNs = System.nanoTime();
    return new TimedRun(startedNs, endedNs, Usage.now().since(before), CallCount.NONE, null);
  }

  /// To count calls slows them down, so nobody counts while it is the time that matters.
  private TimedRun counted(TimedWork work) throws Exception {
    long startedNs = System.nanoTime();
    CallCount callCount = host.countCalls(work);
    return new TimedRun(startedNs, System.nanoTime(), Usage.NONE, callCount, null);
  }
}

package dev.zcp.bench;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Makes runs, one after the other: each on a thread of its own, with its clock and what counts for
/// it.
///
/// A platform thread, since the calls below it block, and what is counted is counted for a thread.
/// A new one for each run, since the JDK keeps for a thread whatever memory its reads and writes of
/// heap buffers took outside of the heap: a run must neither find what one before it left there,
/// nor be refused memory because of it.
///
/// @param runNsMax the most that one run may take
record BenchThread(Host host, long runNsMax) {

  /// How long a run that was told to end may take to do so.
  private static final long END_MS_MAX = 10_000;

  private static final long NS_PER_S = 1_000_000_000L;

  /// What a run is for.
  enum Purpose {
    /// Its time. Some bytes are looked at.
    TIME,
    /// A look at every byte.
    LOOK,
    /// The number of its system calls. To count them slows them down, so nobody counts while it is
    /// the time that matters.
    COUNT
  }

  /// What is to be timed.
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /// A run that was made.
  ///
  /// @param startedNs by [System#nanoTime], as is `endedNs`
  /// @param usage of the run's thread, between the two
  /// @param callCount [CallCount#NONE] unless it was asked for
  /// @param failure what was thrown, or null
  record Run(long startedNs, long endedNs, Usage usage, CallCount callCount, Throwable failure) {

    /// The same, if somebody else was through only at `otherNs`.
    Run endedBy(long otherNs) {
      return new Run(startedNs, Math.max(endedNs, otherNs), usage, callCount, failure);
    }

    private static Run failed(Throwable failure) {
      return new Run(0, 0, Usage.NONE, CallCount.NONE, failure);
    }
  }

  /// A run took longer than it may.
  static final class OverdueException extends Exception {

    private static final long serialVersionUID = 1L;

    private OverdueException(String message) {
      super(message);
    }
  }

  /// Runs `work` and waits for it. Work that does not end in time is told to: `abort` is called,
  /// and its thread interrupted. If it does not end even so, as in a system call that nobody can
  /// interrupt, its thread is left behind.
  ///
  /// @throws InterruptedException if the calling thread is to end
  Run run(Purpose purpose, Work work, Runnable abort) throws InterruptedException {
    Callable<Run> run = () -> purpose == Purpose.COUNT ? counted(work) : timed(work);
    FutureTask<Run> task = new FutureTask<>(run);
    Thread thread = Thread.ofPlatform().daemon().name("zcp-bench-run").start(task);
    try {
      return task.get(runNsMax, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      return Run.failed(e.getCause());
    } catch (TimeoutException e) {
      abort.run();
      thread.interrupt();
      thread.join(END_MS_MAX);
      String rest = thread.isAlive() ? ", and still runs beside the others" : "";
      String message = "did not end within " + runNsMax / NS_PER_S + " s" + rest;
      return Run.failed(new OverdueException(message));
    }
  }

  private Run timed(Work work) throws Exception {
    try (UsageCounter counter = UsageCounter.openWithoutSystemCalls()) {
      Throwable failure = null;
      Usage before = counter.read();
      long startedNs = System.nanoTime();
      try {
        work.run();
      } catch (Exception | Error e) {
        failure = e;
      }
      long endedNs = System.nanoTime();
      Usage usage = counter.read().since(before);
      return new Run(startedNs, endedNs, usage, CallCount.NONE, failure);
    }
  }

  private Run counted(Work work) throws Exception {
    long startedNs = System.nanoTime();
    CallCount callCount = host.countCalls(work);
    return new Run(startedNs, System.nanoTime(), Usage.NONE, callCount, null);
  }
}

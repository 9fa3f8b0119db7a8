package dev.zcp.bench.run;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;
import dev.zcp.bench.count.UsageCounter;
import java.io.Closeable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The thread that moves the bytes of all runs, one run after the other, with its clock and what
/// counts for it. A platform thread of its own: what is counted is counted for a thread, and the
/// calls below it block.
final class Lane implements Closeable {

  /// How long a run that was told to end may take to do so.
  private static final long END_NS_MAX = 10_000_000_000L;

  private final Host host;
  private final long runNsMax;
  private ExecutorService executor;
  private UsageCounter counter;

  /// What is to be timed.
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /// What came of it.
  ///
  /// @param startedNs by [System#nanoTime], as is `endedNs`
  /// @param usage of this thread, between the two
  /// @param failure what was thrown, or null
  record Outcome(long startedNs, long endedNs, Usage usage, Throwable failure) {

    /// The same, where somebody else was through only at `otherNs`.
    Outcome endedBy(long otherNs) {
      return new Outcome(startedNs, Math.max(endedNs, otherNs), usage, failure);
    }
  }

  /// @param runNsMax the most that one run may take
  Lane(Host host, long runNsMax) {
    this.host = host;
    this.runNsMax = runNsMax;
    open();
  }

  SystemCallCount systemCallCount() {
    return counter.systemCallCount();
  }

  long runNsMax() {
    return runNsMax;
  }

  /// Runs `work` and waits for it. Work that does not end in time is told to: `abort` is called,
  /// and its thread interrupted. Where it does not end even so, as in a system call that nobody can
  /// interrupt, its thread is left behind and a new one takes its place.
  Outcome run(Work work, Runnable abort) throws InterruptedException {
    Future<Outcome> future = executor.submit(() -> timed(work));
    try {
      return future.get(runNsMax, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      abort.run();
      executor.shutdownNow();
      boolean ended = executor.awaitTermination(END_NS_MAX, TimeUnit.NANOSECONDS);
      open();
      return new Outcome(0, runNsMax, Usage.NONE, new OverdueException(runNsMax, ended));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the clock of a run failed", e);
    }
  }

  @Override
  public void close() {
    executor.submit(counter::close);
    executor.shutdown();
  }

  private Outcome timed(Work work) {
    Throwable failure = null;
    Usage before = counter.read();
    long startedNs = System.nanoTime();
    try {
      work.run();
    } catch (Exception | Error e) {
      failure = e;
    }
    long endedNs = System.nanoTime();
    return new Outcome(startedNs, endedNs, counter.read().since(before), failure);
  }

  private void open() {
    executor =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("zcp-bench-run").factory());
    try {
      counter = executor.submit(host::openCounter).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("nothing counts for the thread of the runs", e);
    }
  }

  /// A run took longer than it may.
  static final class OverdueException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final long NS_PER_S = 1_000_000_000L;

    private OverdueException(long runNsMax, boolean ended) {
      super(
          "did not end within "
              + runNsMax / NS_PER_S
              + " s"
              + (ended ? "" : ", and still runs beside the others"));
    }
  }
}

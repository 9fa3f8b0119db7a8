package dev.zcp.bench.run;

import dev.zcp.bench.count.Usage;
import dev.zcp.bench.count.UsageCounter;
import java.io.Closeable;
import java.io.IOException;
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
  /// @param callCount [CallCount#NONE] unless it was asked for
  /// @param failure what was thrown, or null
  record Outcome(
      long startedNs, long endedNs, Usage usage, CallCount callCount, Throwable failure) {

    /// The same, where somebody else was through only at `otherNs`.
    Outcome endedBy(long otherNs) {
      return new Outcome(startedNs, Math.max(endedNs, otherNs), usage, callCount, failure);
    }
  }

  /// @param runNsMax the most that one run may take
  /// @throws IOException where nothing counts for its thread, as a phrase a user can read
  /// @throws InterruptedException where the calling thread is to end
  Lane(Host host, long runNsMax) throws IOException, InterruptedException {
    this.host = host;
    this.runNsMax = runNsMax;
    open();
  }

  long runNsMax() {
    return runNsMax;
  }

  /// Runs `work` and waits for it. Work that does not end in time is told to: `abort` is called,
  /// and its thread interrupted. Where it does not end even so, as in a system call that nobody can
  /// interrupt, its thread is left behind and a new one takes its place.
  ///
  /// @param purpose what the clock is for, or the count
  Outcome run(Purpose purpose, Work work, Runnable abort) throws IOException, InterruptedException {
    Future<Outcome> future =
        executor.submit(() -> purpose == Purpose.COUNT ? counted(work) : timed(work));
    try {
      return future.get(runNsMax, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      abort.run();
      executor.shutdownNow();
      boolean ended = executor.awaitTermination(END_NS_MAX, TimeUnit.NANOSECONDS);
      open();
      return new Outcome(
          0, runNsMax, Usage.NONE, CallCount.NONE, new OverdueException(runNsMax, ended));
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
    Usage usage = counter.read().since(before);
    return new Outcome(startedNs, endedNs, usage, CallCount.NONE, failure);
  }

  private Outcome counted(Work work) {
    long startedNs = System.nanoTime();
    CallCount callCount = CallCount.NONE;
    Throwable failure = null;
    try {
      callCount = host.countCalls(work);
    } catch (Exception | Error e) {
      failure = e;
    }
    return new Outcome(startedNs, System.nanoTime(), Usage.NONE, callCount, failure);
  }

  private void open() throws InterruptedException, IOException {
    executor =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("zcp-bench-run").factory());
    try {
      counter = executor.submit(host::openCounter).get();
    } catch (ExecutionException e) {
      executor.shutdown();
      throw new IOException(e.getCause().getMessage(), e);
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

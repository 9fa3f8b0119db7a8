package dev.zcp.cli;

import dev.zcp.core.Daemon;
import dev.zcp.core.Uninterruptible;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/// What is to be printed, on its way to the one thread that prints: a terminal that is paused, or a
/// pipe that nobody reads, must not hold up those who move bytes. All is printed in the order in
/// which it was added. Any thread but the one that prints may call it.
final class PrintQueue {

  /// More than this does not wait, if it may be left out.
  private static final long OPTIONAL_BYTES_MAX = 8 << 20;

  /// If more than this waits, whoever adds to it waits, too.
  private static final long BYTES_MAX = 128 << 20;

  /// If nothing was printed for so long, nobody reads: a thread may wait that long for a processor.
  private static final long UNREAD_NS = 2_000_000_000;

  /// What a print takes in the queue besides its text.
  private static final int ENTRY_BYTES = 200;

  private record QueuedPrint(Runnable run, int bytes) {}

  // All below is guarded by this.
  private final ArrayDeque<QueuedPrint> waiting = new ArrayDeque<>();
  private long bytes;
  private long added;
  private long printed;
  private long printedNs;

  /// Up to which somebody waits for it to be printed.
  private long awaited;

  private boolean runs;
  private Throwable defect;

  /// Has `print` called in its turn.
  ///
  /// @param textBytes about how much memory it keeps
  synchronized void add(int textBytes, Runnable print) {
    Uninterruptible.await(() -> bytes < BYTES_MAX, this::wait);
    put(new QueuedPrint(print, textBytes + ENTRY_BYTES));
  }

  /// As [#add], if there is room. If there is none, this waits for it as long as somebody reads, so
  /// that a reader who is only slow misses nothing.
  ///
  /// @return whether there was
  synchronized boolean addIfRead(int textBytes, Runnable print) {
    Uninterruptible.await(
        () -> bytes < OPTIONAL_BYTES_MAX || unreadNs() >= UNREAD_NS,
        () -> TimeUnit.NANOSECONDS.timedWait(this, UNREAD_NS));
    if (bytes >= OPTIONAL_BYTES_MAX) {
      return false;
    }
    put(new QueuedPrint(print, textBytes + ENTRY_BYTES));
    return true;
  }

  private void put(QueuedPrint print) {
    if (!runs) {
      Daemon.start(this::run, "zcp-print");
      runs = true;
    }
    if (waiting.isEmpty()) {
      printedNs = System.nanoTime();
    }
    waiting.add(print);
    bytes += print.bytes();
    added++;
    notifyAll();
  }

  private long unreadNs() {
    return System.nanoTime() - printedNs;
  }

  /// Waits until all is printed that was added so far.
  void await() {
    await(Long.MAX_VALUE);
  }

  /// As [#await()], but for no longer than this.
  ///
  /// @return whether it is printed
  /// @throws IllegalStateException if a defect kept something from being printed
  synchronized boolean await(long limitNs) {
    long startNs = System.nanoTime();
    long end = added;
    awaited = end;
    Uninterruptible.await(
        () -> printed >= end || System.nanoTime() - startNs >= limitNs,
        () -> TimeUnit.NANOSECONDS.timedWait(this, limitNs - (System.nanoTime() - startNs)));
    if (defect != null) {
      IllegalStateException told = new IllegalStateException(defect);
      defect = null;
      throw told;
    }
    return printed >= end;
  }

  private void run() {
    while (true) {
      QueuedPrint print = next();
      try {
        print.run().run();
      } catch (RuntimeException | Error e) {
        failed(e);
      }
      printed(print);
    }
  }

  private synchronized QueuedPrint next() {
    Uninterruptible.await(() -> !waiting.isEmpty(), this::wait);
    return waiting.remove();
  }

  private synchronized void failed(Throwable e) {
    defect = e;
  }

  private synchronized void printed(QueuedPrint print) {
    boolean wasFull = bytes >= OPTIONAL_BYTES_MAX;
    bytes -= print.bytes();
    printed++;
    printedNs = System.nanoTime();
    if (wasFull || printed >= awaited) {
      notifyAll();
    }
  }
}

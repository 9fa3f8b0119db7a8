package dev.zcp.session.receive;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;

/// A few threads that do what would keep whoever reads a connection from reading on: they look at
/// names, write small files, publish. Each session has its own, so that one that keeps them busy
/// for long keeps no other one waiting. They are started when there is work for them.
///
/// What waits is bounded by those who hand it in: a session has at most
/// [dev.zcp.wire.Limits#ENTRIES_UNDER_WAY_MAX] entries under way, and the bytes of a part wait in a
/// buffer of [PartBuffers].
final class ReceivingWorkers implements Closeable {

  /// Small files take the processors; more workers than this would only wait for one directory.
  static final int WORKERS_MAX = 8;

  private static final int WORKERS_MIN = 2;

  private final int workersMax;
  private final ThreadFactory threads;

  // All below is guarded by this.
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int workers;

  /// Those that wait for work, or were woken and are on their way to it.
  private int idle;

  private boolean closed;

  ReceivingWorkers() {
    this(
        Math.clamp(Runtime.getRuntime().availableProcessors(), WORKERS_MIN, WORKERS_MAX),
        ReceivingWorkers::thread);
  }

  ReceivingWorkers(int workersMax, ThreadFactory threads) {
    this.workersMax = workersMax;
    this.threads = threads;
  }

  static Thread thread(Runnable run) {
    Thread thread = new Thread(run, "zcp-place");
    thread.setDaemon(true);
    return thread;
  }

  /// Leaves `work`, which must not throw, to one of the workers. They begin in the order of the
  /// calls, several at a time. If this throws, nobody will do the work.
  synchronized void take(Runnable work) {
    waiting.addLast(work);
    if (waiting.size() <= idle) {
      notify();
    } else if (workers < workersMax) {
      start();
    }
  }

  private void start() {
    try {
      threads.newThread(this::run).start();
      workers++;
    } catch (Error e) {
      // No thread can be had now; those that are there get to the work as well.
      if (workers == 0) {
        waiting.removeLast();
        throw e;
      }
    }
  }

  /// The workers end once nothing waits.
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void run() {
    try {
      for (Runnable work = next(); work != null; work = next()) {
        run(work);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts them but the end of the process.
      Thread.currentThread().interrupt();
    }
  }

  /// What ends the session for want of memory may want some, too. Its other work needs the worker.
  private static void run(Runnable work) {
    try {
      work.run();
    } catch (OutOfMemoryError e) {
      // Told, or about to be, by whoever else works for the session.
    }
  }

  private synchronized Runnable next() throws InterruptedException {
    while (waiting.isEmpty() && !closed) {
      idle++;
      try {
        wait();
      } finally {
        idle--;
      }
    }
    return waiting.pollFirst();
  }
}

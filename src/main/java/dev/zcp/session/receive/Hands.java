package dev.zcp.session.receive;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;

/// A few threads that do what would keep whoever reads a connection from reading on: they look at
/// names, write small files, publish. Each session has its own, so that one that keeps them busy
/// for long keeps no other one waiting. They are started when there is work for them.
///
/// What waits is bounded by those who hand it in: a session has at most
/// [dev.zcp.wire.Limits#ENTRIES_UNDER_WAY_MAX] entries under way, and the bytes of a batch wait in
/// a buffer of [BatchBuffers].
final class Hands implements Closeable {

  /// Small files take the processors; more hands than this would only wait for one directory.
  static final int HANDS_MAX = 8;

  private static final int HANDS_MIN = 2;

  private final int handsMax;
  private final ThreadFactory threads;

  // All below is guarded by this.
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int hands;

  /// Those that wait for work, or were woken and are on their way to it.
  private int idle;

  private boolean closed;

  Hands() {
    this(
        Math.clamp(Runtime.getRuntime().availableProcessors(), HANDS_MIN, HANDS_MAX),
        Hands::thread);
  }

  Hands(int handsMax, ThreadFactory threads) {
    this.handsMax = handsMax;
    this.threads = threads;
  }

  static Thread thread(Runnable run) {
    Thread thread = new Thread(run, "zcp-place");
    thread.setDaemon(true);
    return thread;
  }

  /// Leaves `work`, which must not throw, to one of the hands. Works in the order of the calls,
  /// several at a time. Where this throws, nobody will do it.
  synchronized void take(Runnable work) {
    waiting.addLast(work);
    if (waiting.size() <= idle) {
      notify();
    } else if (hands < handsMax) {
      start();
    }
  }

  private void start() {
    try {
      threads.newThread(this::run).start();
      hands++;
    } catch (Error e) {
      // No thread can be had now; those that are there get to the work as well.
      if (hands == 0) {
        waiting.removeLast();
        throw e;
      }
    }
  }

  /// Lets the hands go once nothing waits.
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

  /// What ends the session for want of memory may want some, too. Its other works need the hand.
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

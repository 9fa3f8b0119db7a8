package dev.zcp.session.receive;

import java.io.Closeable;
import java.util.ArrayDeque;

/// A few threads that do what would keep whoever reads a connection from reading on: they look at
/// names, write small files, publish. All sessions of the process share them. They are started when
/// there is work for them.
///
/// What waits is bounded by those who hand it in: a session has at most
/// [dev.zcp.wire.Limits#ENTRIES_UNDER_WAY_MAX] entries under way, and the bytes of a batch wait in
/// a buffer of [BatchBuffers].
final class Hands implements Closeable {

  /// Small files take the processors; more hands than this would only wait for one directory.
  private static final int HANDS_MAX = 8;

  private static final int HANDS_MIN = 2;

  private final int handsMax;

  // All below is guarded by this.
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int hands;
  private int idle;
  private boolean closed;

  Hands() {
    this(Math.clamp(Runtime.getRuntime().availableProcessors(), HANDS_MIN, HANDS_MAX));
  }

  Hands(int handsMax) {
    this.handsMax = handsMax;
  }

  /// Leaves `work`, which must not throw, to one of the hands. Works in the order of the calls,
  /// several at a time.
  synchronized void take(Runnable work) {
    waiting.addLast(work);
    if (idle > 0) {
      notify();
    } else if (hands < handsMax) {
      hands++;
      Thread thread = new Thread(this::run, "zcp-place");
      thread.setDaemon(true);
      thread.start();
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
        work.run();
      }
    } catch (InterruptedException e) {
      // Nobody interrupts them but the end of the process.
      Thread.currentThread().interrupt();
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

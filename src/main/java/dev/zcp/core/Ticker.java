package dev.zcp.core;

import java.util.ArrayList;
import java.util.List;

/// The one thread of this process for all that looks at something again and again. It runs while
/// there is such a task. Any thread may call it.
public final class Ticker {

  private static final Ticker OF_PROCESS = new Ticker();

  private static final long NS_PER_MS = 1_000_000;

  // All below is guarded by this.
  private final List<Due> tasks = new ArrayList<>();
  private boolean running;

  /// What is called again and again. It must not wait for anything: the others wait for it.
  ///
  /// If it throws, it is called again after the same time as before. The first time, the handler of
  /// uncaught exceptions is told, unless there was no memory.
  @FunctionalInterface
  public interface TickTask {

    /// @param nowNs the time by [System#nanoTime]
    /// @return in how many nanoseconds it is to be called next; 0 if never again
    long tick(long nowNs);
  }

  private static final class Due {

    private final TickTask task;
    private long waitNs;
    private long atNs;
    private boolean hasThrown;

    Due(TickTask task) {
      this.task = task;
    }

    void in(long ns) {
      waitNs = ns;
      atNs = System.nanoTime() + ns;
    }

    /// @return whether it is to be called again
    boolean tick() {
      in(waitNs);
      try {
        in(task.tick(System.nanoTime()));
      } catch (OutOfMemoryError e) {
        // There may be some the next time.
      } catch (RuntimeException | Error e) {
        // A defect, which must not keep the others from being called.
        if (!hasThrown) {
          hasThrown = true;
          Thread own = Thread.currentThread();
          own.getUncaughtExceptionHandler().uncaughtException(own, e);
        }
      }
      return waitNs > 0;
    }
  }

  private Ticker() {}

  /// Has `task` called in `waitNs`, and then as often as it says.
  public static void start(long waitNs, TickTask task) {
    Due due = new Due(task);
    due.in(waitNs);
    OF_PROCESS.add(due);
  }

  private synchronized void add(Due due) {
    tasks.add(due);
    notifyAll();
    if (!running) {
      Daemon.start(this::run, "zcp-ticker");
      running = true;
    }
  }

  private void run() {
    while (true) {
      try {
        Due due = next();
        if (due == null) {
          return;
        }
        if (!due.tick()) {
          remove(due);
        }
      } catch (OutOfMemoryError e) {
        // Nobody else would look at what is left.
      }
    }
  }

  private synchronized void remove(Due due) {
    tasks.remove(due);
  }

  /// Waits until one is due.
  ///
  /// @return null if there is none, and the thread is to end
  private synchronized Due next() {
    while (!tasks.isEmpty()) {
      Due first = tasks.getFirst();
      for (Due each : tasks) {
        first = each.atNs - first.atNs < 0 ? each : first;
      }
      long leftNs = first.atNs - System.nanoTime();
      if (leftNs <= 0) {
        return first;
      }
      await(leftNs);
    }
    running = false;
    return null;
  }

  private void await(long ns) {
    try {
      // Not Thread#sleep, which loads classes that no AOT cache holds.
      wait(ns / NS_PER_MS, (int) (ns % NS_PER_MS));
    } catch (InterruptedException e) {
      // Nobody interrupts it. If somebody did, its tasks would still have to be done.
    }
  }
}

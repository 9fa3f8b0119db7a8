package dev.zcp.session.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Threads that wait until something is so that a monitor guards.
///
/// A session changes with each frame, and few of its changes are of interest to whoever waits.
/// Waiting on the monitor itself would wake each of them each time, only to take the monitor, look
/// and sleep again; so whoever changes something looks for them.
final class Waiters {

  private final Object monitor;

  private final List<Waiter> waiting = new ArrayList<>();

  /// Guarded by `monitor`, but for reading `isFree`.
  private static final class Waiter {

    private final Thread thread = Thread.currentThread();
    private final BooleanSupplier isSo;
    private volatile boolean isFree;

    Waiter(BooleanSupplier isSo) {
      this.isSo = isSo;
    }
  }

  Waiters(Object monitor) {
    this.monitor = monitor;
  }

  /// Waits until `isSo`, or until the thread is interrupted.
  ///
  /// @param isSo asked under the monitor, by any thread, so it is to wait for nothing
  void await(BooleanSupplier isSo) {
    Waiter waiter = new Waiter(isSo);
    synchronized (monitor) {
      if (isSo.getAsBoolean()) {
        return;
      }
      waiting.add(waiter);
    }
    while (!waiter.isFree && !Thread.currentThread().isInterrupted()) {
      LockSupport.park(this);
    }
    synchronized (monitor) {
      waiting.remove(waiter);
    }
  }

  /// Something has changed: frees those for whom it is so now. To be called under the monitor.
  void changed() {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Waiter each = waiting.get(i);
      if (each.isSo.getAsBoolean()) {
        waiting.remove(i);
        each.isFree = true;
        LockSupport.unpark(each.thread);
      }
    }
  }
}

package dev.zcp.walk;

import dev.zcp.tree.Listing;
import java.util.ArrayDeque;

/// The threads that walk a tree, the caller's among them, and the work that waits for them. The
/// others are started when there is work for them, so that a few files do not pay for them.
///
/// Folders are taken last in, first out, so that few of them wait at a time; batches of entries
/// first in, first out and before folders, and only so many are taken in: whoever has one too many
/// runs it himself. So memory does not grow with the tree.
public final class WorkerPool {

  private static final int BATCHES_MAX = 64;

  private final Worker[] workers;

  // All below is guarded by this.
  private final ArrayDeque<Work> folders = new ArrayDeque<>();
  private final ArrayDeque<Work> batches = new ArrayDeque<>();
  private final Thread[] threads;
  private int started;
  private int busy;
  private boolean stopped;

  /// Read without the lock by [#call], for which a late answer is as good.
  private volatile int idle;

  /// @param jobs how many threads, at least one
  public WorkerPool(int jobs) {
    workers = new Worker[jobs];
    threads = new Thread[jobs];
    workers[0] = new Worker();
    started = 1;
  }

  /// Something to be done by one thread, or by several that join it.
  public interface Work {

    /// Must not throw.
    void run(Worker worker);
  }

  public synchronized void push(Work folder) {
    if (!stopped) {
      folders.addLast(folder);
      wake();
    }
  }

  /// Leaves `batch` to the others, or runs it if too many wait already.
  void offer(Work batch, Worker caller) {
    if (!offer(batch)) {
      batch.run(caller);
    }
  }

  /// @return false if too many wait already
  synchronized boolean offer(Work batch) {
    if (batches.size() >= BATCHES_MAX) {
      return false;
    }
    if (!stopped) {
      batches.addLast(batch);
      wake();
    }
    return true;
  }

  /// Whoever is idle comes and joins the caller, whose batch is the worker's current one.
  void call() {
    if (idle > 0) {
      synchronized (this) {
        notify();
      }
    }
  }

  /// Drops what waits and takes no more.
  public synchronized void stop() {
    stopped = true;
    folders.clear();
    batches.clear();
    notifyAll();
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  public synchronized boolean hasWork() {
    return !folders.isEmpty() || !batches.isEmpty();
  }

  /// Works until nothing is left to do for anybody.
  public void run() {
    work(workers[0]);
    for (int i = 1; i < workers.length; i++) {
      Thread thread = threads[i];
      if (thread != null) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          stop();
          Thread.currentThread().interrupt();
        }
        threads[i] = null;
      }
    }
    started = 1;
  }

  private void work(Worker worker) {
    for (Work work = next(worker); work != null; work = next(worker)) {
      try {
        work.run(worker);
      } finally {
        over();
      }
    }
  }

  private synchronized void over() {
    if (--busy == 0) {
      notifyAll();
    }
  }

  private synchronized Work next(Worker worker) {
    while (true) {
      Work work = batches.pollFirst();
      if (work == null) {
        work = folders.pollLast();
      }
      if (work == null) {
        work = currentOfAnother(worker);
      }
      if (work != null) {
        busy++;
        return work;
      }
      if (busy == 0) {
        return null;
      }
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        stop();
        Thread.currentThread().interrupt();
        return null;
      } finally {
        idle--;
      }
    }
  }

  private EntryBatch currentOfAnother(Worker own) {
    for (int i = 0; i < started; i++) {
      EntryBatch batch = workers[i] == own ? null : workers[i].current;
      if (batch != null && batch.isJoinable()) {
        return batch;
      }
    }
    return null;
  }

  private void wake() {
    if (idle > 0) {
      notify();
    } else if (started < workers.length && folders.size() + batches.size() > 1) {
      int number = started++;
      workers[number] = new Worker();
      Worker worker = workers[number];
      Thread thread = new Thread(() -> work(worker), "zcp-copy-" + number);
      thread.setDaemon(true);
      threads[number] = thread;
      thread.start();
    }
  }

  /// What one thread of a [WorkerPool] has for itself.
  public static final class Worker {

    /// The batch that the thread is at, which others may join; null if it is at none.
    volatile EntryBatch current;

    private Listing listing;

    /// Made when it is first needed: only few threads of a small tree read a directory.
    Listing listing() {
      if (listing == null) {
        listing = new Listing();
      }
      return listing;
    }
  }
}

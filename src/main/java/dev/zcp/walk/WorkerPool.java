package dev.zcp.walk;

import dev.zcp.core.Daemon;
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

  /// Those that work, by the number of their worker; null if it has no thread, and of the caller.
  private final Thread[] threads;

  private int busy;
  private boolean stopped;

  /// What a worker threw first: the others end, and [#run] throws it. Null if none did.
  private Throwable defect;

  /// Read without the lock by [#call], for which a late answer is as good.
  private volatile int idle;

  /// @param jobs how many threads, at least one
  public WorkerPool(int jobs) {
    workers = new Worker[jobs];
    threads = new Thread[jobs];
    for (int i = 0; i < jobs; i++) {
      workers[i] = new Worker();
    }
  }

  /// Something to be done by one thread, or by several that join it.
  public interface Work {

    /// Must not throw: what is thrown all the same ends the work of all.
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
    if (!folders.isEmpty() || batches.size() >= BATCHES_MAX) {
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
  ///
  /// @throws RuntimeException what a piece of work threw, also on another thread
  /// @throws Error likewise
  public void run() {
    work(0);
    for (int i = 1; i < workers.length; i++) {
      Thread thread = thread(i);
      if (thread != null) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          stop();
          Thread.currentThread().interrupt();
        }
      }
    }
    throwDefect();
  }

  private synchronized Thread thread(int number) {
    return threads[number];
  }

  private synchronized void throwDefect() {
    Throwable thrown = defect;
    defect = null;
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private void work(int number) {
    Worker worker = workers[number];
    for (Work work = next(number); work != null; work = next(number)) {
      try {
        work.run(worker);
      } catch (RuntimeException | Error e) {
        fail(e);
      } finally {
        over();
      }
    }
  }

  private synchronized void fail(Throwable thrown) {
    if (defect == null) {
      defect = thrown;
    }
    stop();
  }

  private synchronized void over() {
    if (--busy == 0) {
      notifyAll();
    }
  }

  /// @return null if this thread is to end; another may take its place
  private synchronized Work next(int number) {
    while (true) {
      Work work = batches.pollFirst();
      if (work == null) {
        work = folders.pollLast();
      }
      if (work == null) {
        work = currentOfAnother(number);
      }
      if (work != null) {
        busy++;
        return work;
      }
      if (busy == 0) {
        threads[number] = null;
        return null;
      }
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        stop();
        Thread.currentThread().interrupt();
        threads[number] = null;
        return null;
      } finally {
        idle--;
      }
    }
  }

  private EntryBatch currentOfAnother(int own) {
    for (int i = 0; i < workers.length; i++) {
      EntryBatch batch = i == own ? null : workers[i].current;
      if (batch != null && batch.isJoinable()) {
        return batch;
      }
    }
    return null;
  }

  private void wake() {
    if (idle > 0) {
      notify();
    } else if (folders.size() + batches.size() > 1) {
      startOne();
    }
  }

  private void startOne() {
    for (int i = 1; i < threads.length; i++) {
      if (threads[i] == null) {
        int number = i;
        threads[number] = Daemon.start(() -> work(number), "zcp-copy-" + number);
        return;
      }
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

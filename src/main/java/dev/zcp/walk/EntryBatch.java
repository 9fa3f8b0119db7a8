package dev.zcp.walk;

import dev.zcp.core.Failure;
import dev.zcp.walk.Folder.EntryName;
import dev.zcp.walk.WorkerPool.Worker;
import java.util.concurrent.atomic.AtomicInteger;

/// Some entries of one folder. Several threads may run it: each takes the next entry that nobody
/// has, so that one that takes long holds back no other.
final class EntryBatch implements WorkerPool.Work {

  /// Few enough that a thread with a batch has not long to go when all others are through; enough
  /// that what a batch costs is nothing to its entries.
  static final int ENTRIES_MAX = 64;

  private final Walk walk;
  private final Folder folder;
  private final byte[][] names = new byte[ENTRIES_MAX][];
  private final int[] types = new int[ENTRIES_MAX];

  /// The name in the target if it is another one; then there is one entry.
  private final byte[] newName;

  private final boolean areOperands;
  private int count;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger over = new AtomicInteger();

  /// Counts as one of `folder`'s pending things until it was run.
  ///
  /// @param newName the name in the target, or null if it is the source's
  /// @param areOperands whether the user named the entries
  EntryBatch(Walk walk, Folder folder, byte[] newName, boolean areOperands) {
    this.walk = walk;
    this.folder = folder;
    this.newName = newName;
    this.areOperands = areOperands;
    folder.oneMore();
  }

  void add(byte[] name, int type) {
    names[count] = name;
    types[count] = type;
    count++;
  }

  boolean isFull() {
    return count == ENTRIES_MAX;
  }

  /// Whether there is something for a second thread to do.
  boolean isJoinable() {
    return next.get() < count;
  }

  @Override
  public void run(Worker worker) {
    EntryBatch before = worker.current;
    worker.current = this;
    if (count > 1) {
      walk.workers().call();
    }
    int done = 0;
    try {
      done = take();
    } finally {
      worker.current = before;
    }
    if (done > 0 && over.addAndGet(done) == count) {
      walk.oneIsOver(folder);
    }
  }

  /// @return how many entries this thread took
  private int take() {
    int done = 0;
    int at = next.getAndIncrement();
    if (at >= count) {
      return 0;
    }
    try {
      walk.folders().hold(folder);
    } catch (Failure failure) {
      return failFrom(at, failure);
    }
    try {
      for (; at < count; at = next.getAndIncrement()) {
        if (walk.errors().isOver()) {
          walk.errors().left();
        } else {
          byte[] target = newName == null ? names[at] : newName;
          walk.take(folder, names[at], target, types[at], areOperands);
        }
        done++;
      }
      return done;
    } finally {
      walk.folders().release(folder);
    }
  }

  /// Takes the entry and all that nobody has: none of them can be reached.
  private int failFrom(int first, Failure cause) {
    int done = 0;
    for (int at = first; at < count; at = next.getAndIncrement()) {
      EntryName label = new EntryName(folder, names[at]);
      String reason = "its directory cannot be opened again: " + cause.reason();
      Failure failure = Failure.of(cause.exitCode(), label, reason).because(cause);
      walk.errors().tell(label, failure);
      done++;
    }
    return done;
  }
}

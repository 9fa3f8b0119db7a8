package dev.zcp.core;

import java.util.function.Supplier;

/// A value of its own for each thread, as [ThreadLocal] gives it. Without the second compiler that
/// takes a call into the JVM, half as long as a system call; here the values of the threads that
/// asked last are found by the threads' ids.
public final class PerThread<T> {

  /// A power of two, and more than threads that are likely to work at once.
  private static final int RECENT = 64;

  private final ThreadLocal<Slot<T>> all;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private final Slot<T>[] recent = new Slot[RECENT];

  private record Slot<T>(Thread owner, T value) {}

  /// @param initial makes the value of a thread that has none yet
  public PerThread(Supplier<T> initial) {
    all = ThreadLocal.withInitial(() -> new Slot<>(Thread.currentThread(), initial.get()));
  }

  public T get() {
    Thread thread = Thread.currentThread();
    int at = (int) thread.threadId() & RECENT - 1;
    // A race is harmless: whatever is found there says whose it is.
    Slot<T> slot = recent[at];
    if (slot == null || slot.owner() != thread) {
      slot = all.get();
      recent[at] = slot;
    }
    return slot.value();
  }
}

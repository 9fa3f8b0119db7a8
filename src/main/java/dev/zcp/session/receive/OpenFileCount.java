package dev.zcp.session.receive;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/// How many partial files of a session are open. Any thread may call it.
final class OpenFileCount {

  private final int max;
  private final int heldMax;

  // All below is guarded by this.
  private int open;

  /// Those that wait for a place of those up to [#heldMax].
  private final ArrayDeque<Consumer<Runnable>> waiting = new ArrayDeque<>();

  /// @param max how many there may be
  /// @param heldMax up to how many are opened before anything of them is sent
  OpenFileCount(int max, int heldMax) {
    this.max = max;
    this.heldMax = heldMax;
  }

  int max() {
    return max;
  }

  /// Counts one more, unless there are all that may be.
  synchronized boolean enter() {
    boolean fits = open < max;
    open += fits ? 1 : 0;
    return fits;
  }

  /// Counts one more of which nothing is sent yet, if there is a place for it.
  synchronized boolean enterHeld() {
    boolean fits = open < heldMax;
    open += fits ? 1 : 0;
    return fits;
  }

  /// As [#enterHeld], but if it does not fit, it may try again.
  ///
  /// @param again called once when there is a place, to have it try; it is given what is to be run
  ///   after that, whatever came of it
  synchronized boolean enterHeld(Consumer<Runnable> again) {
    boolean fits = enterHeld();
    if (!fits) {
      waiting.addLast(again);
    }
    return fits;
  }

  /// One is open no more.
  void leave() {
    synchronized (this) {
      open--;
    }
    next();
  }

  /// If there is a place, the next one that waits for it may try.
  private void next() {
    Consumer<Runnable> next;
    synchronized (this) {
      next = open < heldMax ? waiting.pollFirst() : null;
    }
    if (next != null) {
      next.accept(this::next);
    }
  }
}

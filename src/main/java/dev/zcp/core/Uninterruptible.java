package dev.zcp.core;

import java.util.function.BooleanSupplier;

/// Waits that an interrupt does not end. The thread is interrupted again afterwards.
public final class Uninterruptible {

  private Uninterruptible() {}

  /// One wait, which may end too early.
  @FunctionalInterface
  public interface Pause {
    void pause() throws InterruptedException;
  }

  /// Waits until `isSo` is true.
  ///
  /// @param pause such as [Object#wait], if the caller has the monitor
  public static void await(BooleanSupplier isSo, Pause pause) {
    boolean interrupted = false;
    while (!isSo.getAsBoolean()) {
      try {
        pause.pause();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits until a thread has ended.
  public static void join(Thread thread) {
    await(() -> !thread.isAlive(), thread::join);
  }
}

package dev.zcp.core;

/// Waits for a thread whose work must be over before anything else is done.
public final class UninterruptibleJoin {

  private UninterruptibleJoin() {}

  /// An interrupt is passed on once the thread has ended.
  public static void of(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

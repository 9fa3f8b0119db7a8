package dev.zcp.copy;

/// A wait for another thread that ends by itself, and that uses what the caller may close: so it is
/// not cut short by an interruption, which is kept for whoever asks.
final class Joint {

  private Joint() {}

  static void await(Thread thread) {
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

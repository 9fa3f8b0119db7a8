package dev.zcp.core;

/// Threads that do not keep the process from ending.
public final class Daemon {

  private Daemon() {}

  /// Starts one.
  ///
  /// @throws OutOfMemoryError if no thread can be had
  public static Thread start(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}

package dev.zcp.io;

import dev.zcp.linux.Libc;

/// The system calls that strategies make themselves. Binding them takes some 20 ms, which a process
/// that will need them can spend while it waits for something else.
public final class NativeCalls {

  private NativeCalls() {}

  /// Begins to bind, on a thread of its own. Does nothing where that was done or cannot be done.
  public static void prepare() {
    Libc.bindEarly();
  }
}

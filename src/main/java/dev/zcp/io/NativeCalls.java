package dev.zcp.io;

import dev.zcp.linux.Libc;
import java.io.FileDescriptor;

/// The system calls that strategies make themselves. Binding them takes some 20 ms, which a process
/// that will need them can spend while it waits for something else.
public final class NativeCalls {

  private NativeCalls() {}

  /// Begins to bind them, and to find out the numbers of descriptors, on a thread of its own. Does
  /// nothing where that is done or cannot be done.
  public static void prepare() {
    if (!Libc.isBound() && Libc.obstacle().isEmpty()) {
      Thread thread = new Thread(NativeCalls::bind, "zcp-bind");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void bind() {
    Descriptors.of(FileDescriptor.in);
    Libc.bind();
  }
}

package dev.zcp.io;

import dev.zcp.linux.Libc;
import java.io.FileDescriptor;

/// The system calls that strategies make themselves. Binding them takes some 20 ms, which a process
/// that will need them can spend while it waits for something else.
public final class NativeCalls {

  private NativeCalls() {}

  /// Begins to bind them, and to find out the numbers of descriptors, on a thread of its own.
  ///
  /// @return that thread, or null where there is nothing to do or nothing can be done
  public static Thread prepare() {
    if (Libc.isBound() || Libc.obstacle().isPresent()) {
      return null;
    }
    Thread thread = new Thread(NativeCalls::bind, "zcp-bind");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /// Whether calls can be made in this process at all.
  public static boolean arePossible() {
    return Libc.obstacle().isEmpty();
  }

  private static void bind() {
    Descriptors.of(FileDescriptor.in);
    Libc.bind();
  }
}

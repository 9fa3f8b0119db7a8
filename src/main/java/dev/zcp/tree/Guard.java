package dev.zcp.tree;

import dev.zcp.core.Daemon;
import dev.zcp.linux.Signals;
import java.io.Closeable;

/// Keeps a signal from leaving rubbish: while it stands, one deletes what was not published, and
/// publishes nothing any more.
///
/// SIGHUP, SIGINT, SIGQUIT and SIGTERM do so, by [Signals]. The process then dies of the signal.
public final class Guard implements Closeable {

  /// How long the last words of a process that a signal ends may take.
  private static final long TELL_MS_MAX = 2_000;

  private final Thread hook;

  private Guard(Thread hook) {
    this.hook = hook;
  }

  /// Stands from now on.
  ///
  /// @param atEnd what to do when the process ends; must not throw
  public static Guard install(Runnable atEnd) {
    Thread hook = new Thread(atEnd, "zcp-abandon");
    Signals.addHook(hook);
    return new Guard(hook);
  }

  /// Runs what says something to the user at the end of the process, and does not wait for a
  /// terminal that takes no more.
  public static void tell(Runnable words) {
    Thread thread = Daemon.start(words, "zcp-tell");
    try {
      thread.join(TELL_MS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    Signals.removeHook(hook);
  }
}

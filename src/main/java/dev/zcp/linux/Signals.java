package dev.zcp.linux;

/// Has the end of the process by a signal run shutdown hooks, as the JVM does of its own accord.
///
/// The JVM of an installed zcp handles no signals (`-Xrs`). It would from early in its start on,
/// and a signal in the following 30 ms would make it print an error and, at times, exit with 1.
/// Without it, a signal ends the process at once and with the right exit code, until the first hook
/// is added. There is nothing to tidy up before that, nor after the last hook was removed: signals
/// have their default action again then.
public final class Signals {

  /// HUP, INT, QUIT and TERM: signal(7).
  private static final int[] ENDING = {1, 2, 3, 15};

  /// What a shell adds to the number of the signal that ended a process.
  private static final int EXIT_CODE_BASE = 128;

  /// How long the JVM may take to end once its hooks are through.
  private static final long END_MS_MAX = 1_000;

  private static int hooks;

  /// Whether a thread waits for signals. If the library was not built, the JVM is started without
  /// -Xrs, and handles them itself.
  private static boolean catches;

  private Signals() {}

  /// Has `hook` run when the process exits or a signal ends it. If one is ending it already, this
  /// thread gets no further.
  public static synchronized void addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      awaitEnd();
      throw e;
    }
    if (hooks++ == 0 && Native.hasLibrary() && catchByJni(ENDING) > 0) {
      catches = true;
      Thread.ofPlatform().daemon().name("zcp-signals").start(Signals::exitBySignal);
    }
  }

  /// Takes a hook back: the work is over. If a signal is ending the process already, this thread
  /// gets no further: it must not overtake the end with another exit code, for a failure that is
  /// the end's own doing.
  public static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      release();
    } catch (IllegalStateException e) {
      try {
        hook.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      awaitEnd();
    }
  }

  /// After the last hook nobody waits for signals: a thread that waits in C would hold up the end
  /// of the JVM for 300 ms.
  private static synchronized void release() {
    if (--hooks == 0 && catches) {
      catches = false;
      releaseByJni();
    }
  }

  private static void exitBySignal() {
    int signal = awaitByJni();
    if (signal > 0) {
      Runtime.getRuntime().exit(EXIT_CODE_BASE + signal);
    }
  }

  private static void awaitEnd() {
    try {
      Thread.sleep(END_MS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static native int catchByJni(int[] numbers);

  private static native int awaitByJni();

  private static native void releaseByJni();
}

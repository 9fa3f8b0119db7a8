package dev.zcp.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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

  /// How often [#awaitAlarm] looks: well below the second in which an alarm may go off.
  private static final long ALARM_POLL_MS = 20;

  /// `struct sigaction`, whose first field is the handler, is no longer on any processor.
  private static final int SIGACTION_BYTES_MAX = 256;

  private static final long SIG_DFL = 0;

  private static int hooks;

  /// Whether a thread waits for signals. If the library is missing, the JVM is started without
  /// -Xrs, and handles them itself.
  private static volatile boolean catches;

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
    if (hooks++ > 0) {
      return;
    }
    catches = Native.hasLibrary() ? catchByJni(ENDING) > 0 : catchByAlarm();
    if (catches) {
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
      if (Native.hasLibrary()) {
        releaseByJni();
      } else {
        setHandler(Native.find("alarm"), SIG_DFL);
        // A signal that came since the last look is obeyed: its thread looks once more.
      }
    }
  }

  /// Ends the process as SIGHUP does: whoever has started it is gone.
  public static void hangUp() {
    Runtime.getRuntime().exit(EXIT_CODE_BASE + ENDING[0]);
  }

  private static void exitBySignal() {
    int signal = Native.hasLibrary() ? awaitByJni() : awaitAlarm();
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

  /// Catches signals if the library is damaged: the JVM has -Xrs then, and no C of ours can run.
  /// The handler is alarm(2) of the C library, which any thread may call at any time:
  /// signal-safety(7). It takes the number of the signal for seconds.
  ///
  /// @return false if there is nothing to catch: the JVM has handlers, or all signals are ignored
  private static boolean catchByAlarm() {
    long alarm = Native.find("alarm");
    return alarm != 0 && setHandler(SIG_DFL, alarm);
  }

  /// Replaces one handler by another, and leaves all others.
  ///
  /// @return whether there was any
  private static boolean setHandler(long from, long to) {
    long sigaction = Native.find("sigaction");
    long signal = Native.find("signal");
    ByteBuffer action =
        ByteBuffer.allocateDirect(SIGACTION_BYTES_MAX).order(ByteOrder.nativeOrder());
    boolean any = false;
    for (int number : ENDING) {
      Native.call(sigaction, number, 0, Native.address(action), 0, 0, 0, true);
      if (action.getLong(0) == from) {
        Native.call(signal, number, to, 0, 0, 0, 0, false);
        any = true;
      }
    }
    return any;
  }

  /// Waits for a signal that [#catchByAlarm] catches.
  ///
  /// @return its number: the seconds that an alarm still has. 0 after the last hook
  private static int awaitAlarm() {
    long alarm = Native.find("alarm");
    while (true) {
      boolean isLast = !catches;
      int number = (int) Native.call(alarm, 0, 0, 0, 0, 0, 0, true);
      if (number > 0 || isLast) {
        return number;
      }
      try {
        Thread.sleep(ALARM_POLL_MS);
      } catch (InterruptedException e) {
        return 0;
      }
    }
  }

  private static native int catchByJni(int[] numbers);

  private static native int awaitByJni();

  private static native void releaseByJni();
}

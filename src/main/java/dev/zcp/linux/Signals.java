package dev.zcp.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Runs hooks if a signal ends the process, and has the process die of that signal: a shell ends
/// its loop only if the signal killed what ran in it, and an exit with 130 does not
/// (https://www.cons.org/cracauer/sigint.html).
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

  private static final int SIGHUP = 1;
  private static final int SIGPIPE = 13;

  /// How long the process may take to end once its hooks are through.
  private static final long END_MS_MAX = 1_000;

  /// How often [#awaitAlarm] looks: well below the second in which an alarm may go off.
  private static final long ALARM_POLL_MS = 20;

  /// `struct sigaction`, whose first field is the handler, is no longer on any processor.
  private static final int SIGACTION_BYTES_MAX = 256;

  private static final long SIG_DFL = 0;

  /// Those that stand. It does not change any more once [#ends].
  private static final List<Thread> HOOKS = new ArrayList<>();

  /// Whether the hooks run, or have run.
  private static volatile boolean ends;

  /// Runs the hooks if the JVM itself catches signals.
  private static Thread jvmHook;

  /// Whether a thread waits for signals. If the library is missing, the JVM is started without
  /// -Xrs, and handles them itself.
  private static volatile boolean catches;

  private Signals() {}

  /// Has `hook` run if a signal ends the process. If one is ending it already, this thread gets no
  /// further.
  ///
  /// @throws IllegalStateException if it is ending, and takes too long
  public static void addHook(Thread hook) {
    if (!add(hook)) {
      awaitEnd();
      throw new IllegalStateException("the process is ending");
    }
  }

  private static synchronized boolean add(Thread hook) {
    if (ends) {
      return false;
    }
    HOOKS.add(hook);
    if (HOOKS.size() == 1) {
      catches = Native.hasLibrary() ? catchByJni(ENDING) > 0 : catchByAlarm();
      if (catches) {
        Thread.ofPlatform().daemon().name("zcp-signals").start(Signals::dieBySignal);
      } else {
        jvmHook = new Thread(Signals::runHooks, "zcp-signals");
        Runtime.getRuntime().addShutdownHook(jvmHook);
      }
    }
    return true;
  }

  /// Takes a hook back: the work is over. If a signal is ending the process already, this thread
  /// gets no further: it must not overtake the end with another exit code, for a failure that is
  /// the end's own doing.
  public static void removeHook(Thread hook) {
    if (!remove(hook)) {
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
  private static synchronized boolean remove(Thread hook) {
    if (ends) {
      return false;
    }
    if (HOOKS.size() == 1 && !catches && !removeJvmHook()) {
      return false;
    }
    HOOKS.remove(hook);
    if (!HOOKS.isEmpty() || !catches) {
      return true;
    }
    catches = false;
    if (Native.hasLibrary()) {
      releaseByJni();
    } else {
      setHandler(Native.find("alarm"), SIG_DFL);
      // A signal that came since the last look is obeyed: its thread looks once more.
    }
    return true;
  }

  private static boolean removeJvmHook() {
    try {
      return Runtime.getRuntime().removeShutdownHook(jvmHook);
    } catch (IllegalStateException e) {
      // The JVM has caught a signal, and its hook waits for the lock.
      return false;
    }
  }

  /// Whether a signal is ending the process.
  public static boolean isEnding() {
    return ends;
  }

  /// Ends the process as SIGHUP does: whoever has started it is gone.
  public static void hangUp() {
    runHooks();
    die(SIGHUP);
  }

  /// Ends the process as a write to a pipe that nobody reads ends other programs: by SIGPIPE, which
  /// the JVM catches.
  public static void breakPipe() {
    die(SIGPIPE);
  }

  private static void dieBySignal() {
    int signal = Native.hasLibrary() ? awaitByJni() : awaitAlarm();
    if (signal > 0) {
      runHooks();
      die(signal);
    }
  }

  /// Runs all hooks at a time, once. They are started under the lock, so that a hook that is joined
  /// has begun.
  private static void runHooks() {
    synchronized (Signals.class) {
      if (!ends) {
        ends = true;
        HOOKS.forEach(Thread::start);
      }
    }
    try {
      for (Thread hook : HOOKS) {
        hook.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Dies of the signal, or exits with the code that a shell gives for it: the first process of a
  /// container, pid_namespaces(7), has no default actions.
  private static void die(int signal) {
    long setAction = Native.find("signal");
    if (setAction != 0) {
      Native.call(setAction, signal, SIG_DFL, 0, 0, 0, 0, false);
      Native.call(Native.find("raise"), signal, 0, 0, 0, 0, 0, true);
    }
    Runtime.getRuntime().halt(EXIT_CODE_BASE + signal);
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

package dev.zcp.report;

import dev.zcp.core.Ticker;
import dev.zcp.core.Ticker.TickTask;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Live;
import dev.zcp.insight.Event.SessionName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Looks at regular times how far each transfer is, so that its rate over time is known at the end.
public final class Throughput implements Listener {

  /// A transfer that is over sooner than two of these has no course.
  private static final long STEP_NS = 20_000_000;

  /// If a transfer has more, every second is dropped and the step doubled.
  private static final int STEPS_MAX = 240;

  private final long stepNs;

  /// Those under way, and those that are over and not [forgotten][#forget]; of a copy by 0. Guarded
  /// by this.
  private final Map<Integer, Sampler> samplers = new HashMap<>();

  /// How far a transfer was at the end of each step; the last step ends with the transfer.
  ///
  /// @param bytesDurable null if nobody saw to that
  /// @param bytesCarried what this end had sent or received; null without a peer
  record Course(long stepNs, long[] bytes, long[] bytesDurable, long[] bytesCarried) {

    /// Of a transfer that was over before it was known to be, as a web visit is: without the steps
    /// after its end.
    ///
    /// @return null if it ended within the first step
    Course until(long endNs) {
      int steps = (int) Math.min(bytes.length, Math.ceilDiv(endNs, stepNs));
      return steps < 2
          ? null
          : new Course(
              stepNs, first(steps, bytes), first(steps, bytesDurable), first(steps, bytesCarried));
    }

    /// The last of them ends with all that was moved.
    private static long[] first(int steps, long[] of) {
      if (of == null) {
        return null;
      }
      long[] first = Arrays.copyOf(of, steps);
      first[steps - 1] = of[of.length - 1];
      return first;
    }
  }

  public Throughput() {
    this(STEP_NS);
  }

  /// @param stepNs the first time between two looks
  public Throughput(long stepNs) {
    this.stepNs = stepNs;
  }

  @Override
  public void on(Event event) {
    on(event, null);
  }

  @Override
  public synchronized void on(Event event, SessionName session) {
    if (event instanceof Event.Started started) {
      Sampler sampler = new Sampler(started.live(), stepNs);
      Sampler before = samplers.put(key(session), sampler);
      if (before != null) {
        before.look(true);
      }
      Ticker.start(stepNs, sampler);
    } else if (event instanceof Event.Finished && samplers.containsKey(key(session))) {
      samplers.get(key(session)).look(true);
    }
  }

  @Override
  public boolean hearsEachFile() {
    return false;
  }

  /// Null if the transfer was over too soon, or never began.
  synchronized Course courseOf(SessionName session) {
    Sampler sampler = samplers.get(key(session));
    return sampler == null ? null : sampler.course();
  }

  /// Nobody asks for the course of this transfer any more.
  public synchronized void forget(SessionName session) {
    samplers.remove(key(session));
  }

  /// What a session is called in a table of several; 0 of a copy.
  static int key(SessionName session) {
    return session == null ? 0 : session.number();
  }

  private static final class Sampler implements TickTask {

    private final Supplier<Live> live;
    private final long startedNs = System.nanoTime();

    // All below is guarded by this.
    private long stepNs;
    private final long[] bytes = new long[STEPS_MAX];
    private final long[] bytesDurable = new long[STEPS_MAX];
    private final long[] bytesCarried = new long[STEPS_MAX];
    private int steps;
    private boolean ended;

    Sampler(Supplier<Live> live, long stepNs) {
      this.live = live;
      this.stepNs = stepNs;
    }

    @Override
    public long tick(long nowNs) {
      return look(false);
    }

    /// How long to wait until the next look; 0 if there is none.
    private synchronized long look(boolean isLast) {
      if (ended) {
        return 0;
      }
      ended = isLast;
      long nowNs = System.nanoTime() - startedNs;
      long due = nowNs / stepNs + (isLast ? 1 : 0);
      while (due > steps) {
        add(due - steps);
        due = nowNs / stepNs + (isLast ? 1 : 0);
      }
      return Math.max(1, (steps + 1) * stepNs - (System.nanoTime() - startedNs));
    }

    /// Adds a step, or makes room for it. A look that is late shares what was moved among the steps
    /// that it missed.
    private void add(long stepsDue) {
      if (steps == STEPS_MAX) {
        for (int i = 0; i < STEPS_MAX / 2; i++) {
          bytes[i] = bytes[2 * i + 1];
          bytesDurable[i] = bytesDurable[2 * i + 1];
          bytesCarried[i] = bytesCarried[2 * i + 1];
        }
        steps /= 2;
        stepNs *= 2;
        return;
      }
      Live now = live.get();
      bytes[steps] = next(bytes, now.bytesMoved(), stepsDue);
      bytesDurable[steps] = next(bytesDurable, now.bytesDurable(), stepsDue);
      bytesCarried[steps] = next(bytesCarried, now.bytesCarried(), stepsDue);
      steps++;
    }

    private long next(long[] of, long now, long stepsDue) {
      long before = steps == 0 ? 0 : of[steps - 1];
      return now < 0 ? now : before + Math.max(0, now - before) / stepsDue;
    }

    private synchronized Course course() {
      return steps < 3
          ? null
          : new Course(
              stepNs, Arrays.copyOf(bytes, steps), known(bytesDurable), known(bytesCarried));
    }

    private long[] known(long[] of) {
      return of[steps - 1] < 0 ? null : Arrays.copyOf(of, steps);
    }
  }
}

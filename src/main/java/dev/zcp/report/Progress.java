package dev.zcp.report;

import dev.zcp.core.Rate;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Live;
import java.util.function.Supplier;

/// Shows on a terminal how far a transfer is, in the screen's status line. A transfer shorter than
/// [#QUIET_MS] shows nothing. Of single files it is told nothing: it asks when it draws.
///
/// Locks are taken in this order: the caller's, this object's, the screen's or those of the [Live]
/// one, who holds none of them when it tells.
public final class Progress implements Listener {

  /// The width of a terminal that does not tell its own.
  public static final int COLUMNS_DEFAULT = 80;

  private static final int COLUMNS_MIN = 20;
  private static final int COLUMNS_MAX = 500;

  /// What ends sooner than this needs no progress: a person has hardly looked up.
  private static final long QUIET_MS = 300;

  /// Ten times a second: smooth to the eye, and next to nothing for the transfer.
  private static final long TICK_MS = 100;

  private final Screen screen;
  private final long quietMs;
  private final long tickMs;

  /// Guarded by this.
  private RedrawThread redraws;

  public Progress(Screen screen) {
    this(screen, QUIET_MS, TICK_MS);
  }

  Progress(Screen screen, long quietMs, long tickMs) {
    this.screen = screen;
    this.quietMs = quietMs;
    this.tickMs = tickMs;
  }

  /// The width that the environment's `COLUMNS` tells, or [#COLUMNS_DEFAULT] if it is null or tells
  /// no sensible one.
  public static int columns(String environment) {
    try {
      int columns = Integer.parseInt(environment);
      return columns < 1 ? COLUMNS_DEFAULT : Math.clamp(columns, COLUMNS_MIN, COLUMNS_MAX);
    } catch (NumberFormatException e) {
      return COLUMNS_DEFAULT;
    }
  }

  @Override
  public synchronized void on(Event event) {
    if (event instanceof Event.Started started) {
      end();
      redraws = new RedrawThread(started.live());
      redraws.start();
    } else if (event instanceof Event.Failed
        || event instanceof Event.Interrupted
        || event instanceof Event.Finished
        || event instanceof Event.PlanLine) {
      // The lines of a dry run are its progress, and may go to the same terminal.
      end();
    }
  }

  @Override
  public boolean hearsEachFile() {
    return false;
  }

  @Override
  public boolean wantsTotals() {
    return true;
  }

  /// Shows nothing more.
  public synchronized void end() {
    if (redraws != null) {
      redraws.interrupt();
      redraws = null;
      screen.status("");
    }
  }

  /// Redraws the line until it is no longer the one that counts.
  private final class RedrawThread extends Thread {

    private final Supplier<Live> live;
    private final RecentRate moved = new RecentRate();
    private final RecentRate durable = new RecentRate();
    private final long startedNs = System.nanoTime();

    RedrawThread(Supplier<Live> live) {
      super("progress");
      this.live = live;
      setDaemon(true);
      moved.tick(startedNs, 0);
      durable.tick(startedNs, 0);
    }

    @Override
    public void run() {
      try {
        Thread.sleep(quietMs);
        while (draw()) {
          Thread.sleep(tickMs);
        }
      } catch (InterruptedException e) {
        // The transfer is over, which is all that an interrupt means to this thread.
        return;
      }
    }

    private boolean draw() {
      synchronized (Progress.this) {
        if (redraws != this) {
          return false;
        }
        screen.status(line().text(screen.columns(), screen.isUnicode()));
        return true;
      }
    }

    private ProgressLine line() {
      long nowNs = System.nanoTime();
      Live now = live.get();
      moved.tick(nowNs, now.bytesMoved());
      durable.tick(nowNs, Math.max(0, now.bytesDurable()));
      String name = screen.legible(now.current());
      return new ProgressLine(now, moved.recent(), durable.recent(), nowNs - startedNs, name);
    }
  }

  /// How fast bytes went by of late: over the last ticks, so that a stall is seen soon and a single
  /// slow chunk does not make the figure jump.
  static final class RecentRate {

    /// With ten ticks a second, the last three seconds.
    private static final int TICKS = 30;

    private final long[] ticksNs = new long[TICKS];
    private final long[] ticksBytes = new long[TICKS];
    private int ticks;

    void tick(long nowNs, long bytes) {
      ticksNs[ticks % TICKS] = nowNs;
      ticksBytes[ticks % TICKS] = bytes;
      ticks++;
    }

    /// From the oldest tick that is kept to the last; there must be one.
    Rate recent() {
      int last = (ticks - 1) % TICKS;
      int first = ticks <= TICKS ? 0 : ticks % TICKS;
      return new Rate(ticksBytes[last] - ticksBytes[first], ticksNs[last] - ticksNs[first]);
    }
  }
}

package dev.zcp.report;

import dev.zcp.insight.Event;
import dev.zcp.insight.Listener;
import java.util.function.LongSupplier;

/// Shows on a terminal how far a transfer is, in the screen's status line. A transfer shorter than
/// [#QUIET_MS] shows nothing.
///
/// Locks are taken in this order: the caller's, this object's, the screen's.
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
  private final int columns;
  private final long quietMs;
  private final long tickMs;

  // All below is guarded by this.
  private Ticker ticker;
  private String name = "";
  private int filesEnded;

  public Progress(Screen screen, int columns) {
    this(screen, columns, QUIET_MS, TICK_MS);
  }

  Progress(Screen screen, int columns, long quietMs, long tickMs) {
    this.screen = screen;
    this.columns = columns;
    this.quietMs = quietMs;
    this.tickMs = tickMs;
  }

  /// The width that the environment's `COLUMNS` tells, or [#COLUMNS_DEFAULT] where it is null or
  /// tells no sensible one.
  public static int columns(String environment) {
    if (environment == null || environment.isEmpty() || environment.length() > 3) {
      return COLUMNS_DEFAULT;
    }
    int columns = 0;
    for (int i = 0; i < environment.length(); i++) {
      char c = environment.charAt(i);
      if (c < '0' || c > '9') {
        return COLUMNS_DEFAULT;
      }
      columns = columns * 10 + c - '0';
    }
    return columns == 0 ? COLUMNS_DEFAULT : Math.clamp(columns, COLUMNS_MIN, COLUMNS_MAX);
  }

  @Override
  public synchronized void on(Event event) {
    if (event instanceof Event.Started started) {
      begin(started);
    } else if (event instanceof Event.FileStarted started) {
      name = screen.legible(started.name());
    } else if (event instanceof Event.FileDone || event instanceof Event.FileFailed) {
      filesEnded++;
    } else if (event instanceof Event.Failed || event instanceof Event.Finished) {
      end();
    }
  }

  private void begin(Event.Started started) {
    end();
    name = "";
    filesEnded = 0;
    ticker = new Ticker(started);
    ticker.start();
  }

  private void end() {
    if (ticker != null) {
      ticker.interrupt();
      ticker = null;
      screen.status("");
    }
  }

  /// Redraws the line until it is no longer the one that counts.
  private final class Ticker extends Thread {

    private final int filesAll;
    private final long bytesAll;
    private final LongSupplier bytesMoved;
    private final Pace pace = new Pace();
    private final long startedNs = System.nanoTime();

    Ticker(Event.Started started) {
      super("progress");
      filesAll = started.files();
      bytesAll = started.bytes();
      bytesMoved = started.bytesMoved();
      setDaemon(true);
      pace.tick(startedNs, 0);
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
        if (ticker != this) {
          return false;
        }
        long nowNs = System.nanoTime();
        long bytes = bytesMoved.getAsLong();
        pace.tick(nowNs, bytes);
        ProgressLine line =
            new ProgressLine(
                bytes, bytesAll, pace.recent(), nowNs - startedNs, filesEnded, filesAll, name);
        screen.status(line.text(columns, screen.isUnicode()));
        return true;
      }
    }
  }
}

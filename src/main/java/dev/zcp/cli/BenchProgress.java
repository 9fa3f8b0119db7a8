package dev.zcp.cli;

import dev.zcp.bench.BenchRequest.BenchListener;
import dev.zcp.bench.Cell;
import dev.zcp.report.Screen;
import java.util.function.LongSupplier;

/// Tells a person at standard error how a benchmark gets on, and shows in the screen's status line
/// how far it is.
///
/// It draws between runs, on the thread that makes them, and never while a clock runs: a thread of
/// its own would take a processor from what is measured.
final class BenchProgress implements BenchListener {

  /// A run may take less than a millisecond; nobody reads that fast.
  private static final long DRAW_NS_MIN = 100_000_000;

  private static final long NS_PER_SECOND = 1_000_000_000;

  private final Screen screen;
  private final String note;
  private final boolean isDrawn;
  private final long limitNs;
  private final LongSupplier clockNs;
  private long startedNs;
  private long drawnNs;
  private int runs;

  /// @param note told before the first run, or empty
  /// @param isDrawn whether to show how far it is
  /// @param limitNs when it ends, however many runs there were
  /// @param clockNs `System::nanoTime`
  BenchProgress(Screen screen, String note, boolean isDrawn, long limitNs, LongSupplier clockNs) {
    this.screen = screen;
    this.note = note;
    this.isDrawn = isDrawn;
    this.limitNs = limitNs;
    this.clockNs = clockNs;
  }

  /// The seed is told early: who gives up half-way may want the same order again.
  @Override
  public void planned(int planned) {
    if (!note.isEmpty()) {
      screen.line("zcp: " + note);
    }
    runs = planned;
    startedNs = clockNs.getAsLong();
    drawnNs = startedNs - DRAW_NS_MIN;
  }

  @Override
  public void running(Cell cell, int runsDone) {
    long nowNs = clockNs.getAsLong();
    if (isDrawn && nowNs - drawnNs >= DRAW_NS_MIN) {
      drawnNs = nowNs;
      screen.status(text(cell, runsDone, nowNs - startedNs));
    }
  }

  /// ` 34% 41/120 runs 0:48 left copy direct 64.0 KiB`
  private String text(Cell cell, int runsDone, long elapsedNs) {
    StringBuilder line = new StringBuilder();
    if (runs > 0) {
      // Warm-up is not counted, and more runs than were guessed are no more than all.
      int done = Math.min(runsDone, runs);
      double part = Math.max((double) done / runs, Math.min(1, (double) elapsedNs / limitNs));
      String percent = (int) (100 * part) + "%";
      line.repeat(' ', 4 - percent.length()).append(percent);
      line.append("  ").append(done).append('/').append(runs).append(" runs  ");
      line.append(left(done, elapsedNs)).append(" left  ");
    }
    return line.append(cell.experiment().word()).append(' ').append(cell.name()).toString();
  }

  /// Runs take turns in random order, so those to come take as long as those that were.
  private String left(int done, long elapsedNs) {
    if (done == 0) {
      return "-:--";
    }
    double runsNs = (double) elapsedNs / done * (runs - done);
    double leftNs = Math.min(runsNs, Math.max(0, limitNs - elapsedNs));
    long seconds = (long) Math.ceil(leftNs / NS_PER_SECOND);
    long rest = seconds % 60;
    return seconds / 60 + ":" + (rest < 10 ? "0" : "") + rest;
  }
}

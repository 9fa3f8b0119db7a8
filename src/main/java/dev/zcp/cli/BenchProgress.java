package dev.zcp.cli;

import dev.zcp.bench.plan.Cache;
import dev.zcp.bench.plan.Cell;
import dev.zcp.core.ByteSize;
import dev.zcp.engine.Choice;
import dev.zcp.report.Screen;
import java.util.function.LongSupplier;

/// Shows how far a benchmark is, in the screen's status line.
///
/// It draws between runs, on the thread that makes them, and never while a clock runs: a thread of
/// its own would take a processor from what is measured.
final class BenchProgress {

  /// A run may take less than a millisecond; nobody reads that fast.
  private static final long DRAW_NS_MIN = 100_000_000;

  private static final long NS_PER_SECOND = 1_000_000_000;

  private final Screen screen;
  private final int columns;
  private final LongSupplier clockNs;
  private long startedNs;
  private long drawnNs;
  private int runs;

  /// @param columns how wide the terminal is
  /// @param clockNs `System::nanoTime`
  BenchProgress(Screen screen, int columns, LongSupplier clockNs) {
    this.screen = screen;
    this.columns = columns;
    this.clockNs = clockNs;
  }

  void begin(int runs) {
    this.runs = runs;
    startedNs = clockNs.getAsLong();
    drawnNs = startedNs - DRAW_NS_MIN;
  }

  void running(Cell cell, int runsDone) {
    long nowNs = clockNs.getAsLong();
    if (nowNs - drawnNs >= DRAW_NS_MIN) {
      drawnNs = nowNs;
      screen.status(text(cell, runsDone, nowNs - startedNs), columns);
    }
  }

  /// ` 34% 41/120 runs 0:48 left copy direct 64.0 KiB`
  private String text(Cell cell, int runsDone, long elapsedNs) {
    StringBuilder line = new StringBuilder();
    if (runs > 0) {
      // Warm-up is not counted, and more runs than were guessed are no more than all.
      int done = Math.min(runsDone, runs);
      String percent = (int) (done * 100L / runs) + "%";
      line.repeat(' ', 4 - percent.length()).append(percent);
      line.append("  ").append(done).append('/').append(runs).append(" runs  ");
      line.append(left(done, elapsedNs)).append(" left  ");
    }
    return line.append(cell.experiment().word()).append(' ').append(nameOf(cell)).toString();
  }

  /// `direct 64.0 KiB cold`: what tells a cell from others of its group.
  static String nameOf(Cell cell) {
    String name = cell.contender();
    if (cell.chunkBytes() == Choice.WHOLE) {
      name += " whole";
    } else if (cell.chunkBytes() != Choice.ADAPTIVE) {
      name += " " + new ByteSize(cell.chunkBytes());
    }
    return cell.cache() == Cache.COLD ? name + " cold" : name;
  }

  /// Runs take turns in random order, so those to come take as long as those that were.
  private String left(int done, long elapsedNs) {
    if (done == 0) {
      return "-:--";
    }
    long seconds = (long) Math.ceil((double) elapsedNs / done * (runs - done) / NS_PER_SECOND);
    long rest = seconds % 60;
    return seconds / 60 + ":" + (rest < 10 ? "0" : "") + rest;
  }
}

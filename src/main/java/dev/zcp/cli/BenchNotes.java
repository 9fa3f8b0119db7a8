package dev.zcp.cli;

import dev.zcp.bench.BenchListener;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.result.CellResult;
import dev.zcp.report.Screen;

/// Tells a person at standard error how a benchmark gets on.
final class BenchNotes implements BenchListener {

  private final Screen screen;
  private final long seed;
  private final boolean quiet;

  /// Null where nobody wants to see any.
  private final BenchProgress progress;

  BenchNotes(Screen screen, long seed, boolean quiet, BenchProgress progress) {
    this.screen = screen;
    this.seed = seed;
    this.quiet = quiet;
    this.progress = progress;
  }

  /// The seed is told early: who gives up half-way may want the same order again.
  @Override
  public void planned(int cells, int runs) {
    note("seed " + seed + "; --seed=" + seed + " repeats the order of the runs");
    if (progress != null) {
      progress.begin(runs);
    }
  }

  @Override
  public void running(Cell cell, int runsDone) {
    if (progress != null) {
      progress.running(cell, runsDone);
    }
  }

  @Override
  public void ended(CellResult result) {}

  private void note(String text) {
    if (!quiet) {
      screen.line("zcp: " + text);
    }
  }
}

package dev.zcp.bench.run;

import java.util.List;
import java.util.function.Predicate;

/// Runs cells that compete, in rounds: each cell once a round, in an order of its own.
///
/// First a round whose times stand apart. Then rounds of warm-up, each of the cells that [still get
/// faster][WarmUp]. Then the rounds that count. At the end a run whose system calls are counted,
/// and one whose every byte is looked at.
final class Rounds {

  private final List<CellRuns> cells;
  private final Turns turns;
  private final Trial trial;
  private final Progress progress;
  private final Host.Watch watch;

  /// What is done with a cell when it is its turn.
  @FunctionalInterface
  private interface Turn {
    void take(CellRuns cell) throws InterruptedException;
  }

  Rounds(List<CellRuns> cells, Turns turns, Trial trial, Progress progress, Host.Watch watch) {
    this.cells = cells;
    this.turns = turns;
    this.trial = trial;
    this.progress = progress;
    this.watch = watch;
  }

  /// Makes all runs.
  ///
  /// @param runs how many rounds count
  void run(int runs) throws InterruptedException {
    round(CellRuns::isIn, cell -> cell.first(trial), 1);
    while (cells.stream().anyMatch(CellRuns::wantsWarmUp)) {
      round(CellRuns::wantsWarmUp, cell -> cell.warmUp(trial), 0);
    }
    for (int i = 0; i < runs; i++) {
      round(CellRuns::wantsRun, cell -> cell.run(trial), 1);
    }
    round(CellRuns::wantsCount, cell -> cell.countCalls(trial), 0);
    round(CellRuns::wantsCloseLook, cell -> cell.lookClosely(trial), 0);
  }

  /// @param counted how many runs of those that were planned each turn is, also one that is not
  ///   taken
  private void round(Predicate<CellRuns> takesPart, Turn turn, int counted)
      throws InterruptedException {
    for (int next : turns.next()) {
      CellRuns cell = cells.get(next);
      if (takesPart.test(cell)) {
        progress.running(cell);
        turn.take(cell);
        watch.look();
        progress.look(cell);
      }
      progress.passed(counted);
    }
  }
}

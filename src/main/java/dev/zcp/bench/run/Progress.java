package dev.zcp.bench.run;

import dev.zcp.bench.BenchListener;
import dev.zcp.bench.result.CellResult;

/// Tells a listener how far a benchmark is.
final class Progress {

  private final BenchListener listener;
  private int runsDone;

  Progress(BenchListener listener) {
    this.listener = listener;
  }

  /// It begins.
  ///
  /// @param runs how many runs of each cell count
  void planned(int cells, int runs) {
    listener.planned(cells, cells * (runs + 1));
  }

  void running(CellRuns cell) {
    listener.running(cell.cell(), runsDone);
  }

  /// A turn is over; a cell that came to its end in it is told of at once.
  void look(CellRuns cell) {
    if (!cell.isIn()) {
      listener.ended(cell.result());
    }
  }

  /// So many runs of those that were planned are over.
  void passed(int runs) {
    runsDone += runs;
  }

  void ended(CellResult result) {
    listener.ended(result);
  }
}

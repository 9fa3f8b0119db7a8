package dev.zcp.bench;

/// Hears how a benchmark gets on, on the thread that runs it and never while a clock runs.
public interface BenchListener {

  /// @param runs how many runs there will be in all, warm-up not counted: a guess, for progress
  void planned(int cells, int runs);

  /// The next run begins.
  ///
  /// @param runsDone how many are over, of those that [#planned] told
  void running(Cell cell, int runsDone);

  /// No more of this cell will come.
  void ended(CellResult result);
}

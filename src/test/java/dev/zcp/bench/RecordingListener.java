package dev.zcp.bench;

import java.util.ArrayList;
import java.util.List;

/// Writes down what it hears.
final class RecordingListener implements BenchListener {

  int runsPlanned;
  int runsDoneLast;
  final List<Cell> running = new ArrayList<>();
  final List<CellResult> ended = new ArrayList<>();

  @Override
  public void planned(int cells, int runs) {
    runsPlanned = runs;
  }

  @Override
  public void running(Cell cell, int runsDone) {
    running.add(cell);
    runsDoneLast = runsDone;
  }

  @Override
  public void ended(CellResult result) {
    ended.add(result);
  }
}

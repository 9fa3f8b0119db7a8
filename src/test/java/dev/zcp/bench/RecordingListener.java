package dev.zcp.bench;

import dev.zcp.bench.BenchRequest.BenchListener;
import java.util.ArrayList;
import java.util.List;

/// Writes down what it hears.
final class RecordingListener implements BenchListener {

  int runsPlanned;
  int runsDoneLast;
  final List<Cell> running = new ArrayList<>();

  @Override
  public void planned(int runs) {
    runsPlanned = runs;
  }

  @Override
  public void running(Cell cell, int runsDone) {
    running.add(cell);
    runsDoneLast = runsDone;
  }
}

package dev.zcp.bench;

import dev.zcp.bench.BenchRequest.BenchListener;
import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.testing.SampleBench;
import java.util.List;

/// Runs a benchmark that does not end by itself, and says so.
final class BenchProbe {

  private BenchProbe() {}

  public static void main(String[] words) throws Failure {
    Cell copy = SampleBench.cell(Experiment.COPY, "direct", 4096, 5_000_000);
    Cell write = SampleBench.cell(Experiment.WRITE, "heap", 4096, 5_000_000);
    BenchRequest request =
        new BenchRequest(
            List.of(new CellGroup("", "", List.of(copy, write))),
            "",
            "",
            RawPath.of(words[0]),
            null,
            Content.ContentKind.RANDOM,
            BenchRequest.UNLIMITED,
            Integer.MAX_VALUE / 4,
            Long.MAX_VALUE,
            Requests.SEED,
            false);
    Bench.run(request, Strategies.load(List.of()), new Announcer());
  }

  private static final class Announcer implements BenchListener {

    @Override
    public void planned(int runs) {}

    @Override
    public void running(Cell cell, int runsDone) {
      if (runsDone == 3) {
        System.out.println("running");
      }
    }
  }
}

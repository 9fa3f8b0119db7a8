package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.testing.SampleBench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CellRunsTest {

  private static final long RUN_NS_MAX = 30_000_000_000L;

  @TempDir Path dir;

  private long pauseMs = 256;

  @Test
  void aCellThatStillGetsFasterAtTheEndOfItsWarmUpIsToldOf() throws Exception {
    Cell cell = SampleBench.cell(Experiment.WRITE, "hastening", 4096, 100);
    CellRuns runs = new CellRuns(cell, new ScriptedContender("hastening", this::hasten), null, 1);
    Host host = new Host(false);
    Content.Generated content = new Content.Generated(Content.ContentKind.RANDOM, Requests.SEED);
    try (Workspace workspace = Workspace.open(RawPath.of(dir), content)) {
      BenchThread thread = new BenchThread(host, RUN_NS_MAX);
      CellRunner runner = new CellRunner(thread, workspace, Strategies.load(List.of()));
      assertThat(runs.warnings()).isEmpty();
      runs.run(CellRuns.Phase.WARM_UP, runner);
      assertThat(runs.warnings()).as("one run says nothing").isEmpty();
      runs.run(CellRuns.Phase.WARM_UP, runner);
    }
    assertThat(runs.wants(CellRuns.Phase.WARM_UP)).as("it had its time").isFalse();
    assertThat(runs.warnings())
        .containsExactly(
            "hastening with calls of 4.00 KiB still got faster when its warm-up ended, after 2"
                + " runs: its figures may be too high");
  }

  private void hasten(Contender.MoveTask task, Meter meter) throws IOException {
    try {
      Thread.sleep(Duration.ofMillis(pauseMs));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    pauseMs = 0;
    BenchOnly.FILE_STREAM.run(task, 4096, meter);
  }
}

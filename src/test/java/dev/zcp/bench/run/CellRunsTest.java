package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.ContentKind;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
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
    Cell cell = Cell.of(Experiment.WRITE, "hastening", 4096, 100);
    CellRuns runs = new CellRuns(cell, new ScriptedContender("hastening", this::hasten), null, 1);
    ThisHost host = new ThisHost(false);
    MadeContent content = new MadeContent(ContentKind.RANDOM, Requests.SEED);
    try (Workshop workshop = Workshop.open(RawPath.of(dir), content)) {
      Lane lane = new Lane(host, RUN_NS_MAX);
      Trial trial = new Trial(lane, workshop, new CacheState(host), Strategies.load(List.of()));
      assertThat(runs.warmUpNote()).isEmpty();
      runs.warmUp(trial);
      assertThat(runs.warmUpNote()).as("one run says nothing").isEmpty();
      runs.warmUp(trial);
    }
    assertThat(runs.wantsWarmUp()).as("it had its time").isFalse();
    assertThat(runs.warmUpNote())
        .isEqualTo(
            "hastening with calls of 4.00 KiB still got faster when its warm-up ended, after 2"
                + " runs: its figures may be too high");
  }

  private void hasten(Task task, Meter meter) throws IOException {
    try {
      Thread.sleep(Duration.ofMillis(pauseMs));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    pauseMs = 0;
    new FileStreamContender().run(task, 4096, meter);
  }
}

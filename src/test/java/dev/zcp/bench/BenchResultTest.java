package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.engine.Choice;
import dev.zcp.spi.Model;
import dev.zcp.testing.SampleBench;
import dev.zcp.testing.SampleLatencies;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BenchResultTest {

  private static final Cell QUIET = SampleBench.cell(Experiment.READ, "heap", 4096, 1 << 20);
  private static final Cell WIDE = SampleBench.cell(Experiment.READ, "mmap", Choice.WHOLE, 1 << 20);
  private static final Cell WIDEST = SampleBench.cell(Experiment.COPY, "stream", 65536, 8 << 20);

  @Test
  void aTenthIsNotWideAndMoreIs() {
    assertThat(BenchResult.spreadWarning(one(measured(QUIET, 95, 95, 100, 105, 105)))).isEmpty();
    assertThat(BenchResult.spreadWarning(one(measured(QUIET, 94, 94, 100, 105, 105)))).isPresent();
  }

  @Test
  void wideCellsAreCountedAndTheWidestIsNamed() {
    List<BenchResult.Group> groups =
        List.of(
            group(measured(QUIET, 100, 100, 101), measured(WIDE, 90, 90, 100, 110, 110)),
            group(
                measured(WIDEST, 80, 80, 100, 120, 120),
                new CellResult.Refused(QUIET, "not here"),
                new CellResult.Failed(QUIET, "broken")));
    assertThat(BenchResult.spreadWarning(groups))
        .contains(
            "the middle half of the runs of 2 of 3 cells spans more than 10 % of their median, most"
                + " of all that of copy 8.00 MiB warm by stream (64.0 KiB a call) with 40 %: a"
                + " quieter machine or more --runs would tell more");
  }

  @Test
  void quietCellsAreNotSpokenOf() {
    assertThat(BenchResult.spreadWarning(one(measured(QUIET, 100, 100, 101)))).isEmpty();
    assertThat(BenchResult.spreadWarning(List.of())).isEmpty();
  }

  private static List<BenchResult.Group> one(CellResult cell) {
    return List.of(group(cell));
  }

  private static BenchResult.Group group(CellResult... cells) {
    return new BenchResult.Group("title", "", List.of(cells));
  }

  private static CellResult.Measurement measured(Cell cell, long... elapsedNs) {
    List<CellResult.Sample> samples =
        LongStream.of(elapsedNs).mapToObj(each -> new CellResult.Sample(each, Usage.NONE)).toList();
    return new CellResult.Measurement(
        cell,
        new Model(4, 2, 0),
        samples.getFirst(),
        0,
        samples,
        SampleLatencies.of(elapsedNs),
        1,
        0,
        CallCount.NONE,
        0,
        1,
        0,
        null);
  }
}

package dev.zcp.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.CellResult;
import dev.zcp.bench.result.Machine;
import dev.zcp.testing.SampleBench;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  @Test
  void aCellIsFasterSlowerOrTheSame() {
    BenchResult old =
        result(
            cell("heap", 10, 10, 11, 11), cell("direct", 20, 20, 20, 20), cell("mmap", 5, 6, 7, 8));
    BenchResult now =
        result(cell("heap", 8, 8, 9, 9), cell("direct", 30, 30, 30, 30), cell("mmap", 6, 7, 8, 9));
    assertThat(text(old, now))
        .isEqualTo(
            """
            Compared with old.json, of 2026-11-21T15:10:56Z

            copy 64 MiB (medians, ms)
            strategy  chunk  before    now  ratio
            heap         1M   10.50   8.50   0.81  faster
            direct       1M   20.00  30.00   1.50  slower
            mmap         1M    6.50   7.50   1.15  same
            """);
  }

  @Test
  void whatElseIsNotAsItWasComesFirst() {
    BenchResult old = result(cell("heap", 1, 1, 1, 1));
    Machine machine = SampleBench.MACHINE;
    BenchResult now =
        new BenchResult(
            "zcp bench copy",
            "0.2.0",
            0,
            new Machine(
                machine.processor(), 8, machine.memoryBytes(), "Linux 6.12.9", "", "xfs, rw"),
            1,
            old.groups(),
            List.of());
    assertThat(text(old, now).lines().skip(1).limit(6))
        .containsExactly(
            "differs: zcp: 0.1.0 before, 0.2.0 now",
            "differs: kernel: Linux 6.1.0-28-amd64 before, Linux 6.12.9 now",
            "differs: processors: 4 before, 8 now",
            "differs: Java: 25.0.1 before, unknown now",
            "differs: file system: ext4, rw, relatime before, xfs, rw now",
            "");
  }

  @Test
  void cellsThatOnlyOneRunHasAreNamed() {
    CellResult failed = new CellResult.Failed(cell("mmap", 1).cell(), "2 of 3 bytes");
    BenchResult old = result(cell("heap", 1, 1, 1, 1), cell("splice", 1, 1, 1, 1), failed);
    BenchResult now = result(cell("heap", 1, 1, 1, 1), cell("mmap", 1, 1, 1, 1));
    assertThat(text(old, now))
        .endsWith(
            """

            only now: copy 64 MiB: mmap 1M warm
            only before: copy 64 MiB: splice 1M warm
            """);
  }

  @Test
  void nothingInCommonIsSaid() {
    assertThat(text(result(cell("heap", 1, 1, 1, 1)), result(cell("mmap", 1, 1, 1, 1))))
        .contains("No cell was measured in both runs.");
  }

  @Test
  void coldIsComparedWithColdAndAnotherSizeWithNothing() {
    SampleBench.Of cold =
        SampleBench.of(Experiment.COPY, "heap", 1 << 20, 64 << 20).cold().ms(1, 9, 9, 9, 9);
    SampleBench.Of large =
        SampleBench.of(Experiment.COPY, "heap", 1 << 20, 65 << 20).ms(1, 3, 3, 3, 3);
    BenchResult old = result(cell("heap", 1, 1, 1, 1), cold.measured());
    BenchResult now = result(cold.measured(), large.measured());
    Comparison comparison = comparison(old, now);
    assertThat(comparison.changes().of(0, 0).oldMedianNs()).isEqualTo(9e6);
    assertThat(comparison.changes().of(0, 1)).isNull();
  }

  @Test
  void aCellThatStandsTwiceIsMatchedInOrder() {
    BenchResult old = result(cell("heap", 1, 1, 1, 1), cell("heap", 2, 2, 2, 2));
    BenchResult now =
        result(cell("heap", 3, 3, 3, 3), cell("heap", 4, 4, 4, 4), cell("heap", 5, 5, 5, 5));
    Changes changes = comparison(old, now).changes();
    assertThat(changes.of(0, 0).ratio()).isEqualTo(3);
    assertThat(changes.of(0, 1).ratio()).isEqualTo(2);
    assertThat(changes.onlyNow()).containsExactly(new Changes.Place(0, 2));
    assertThat(comparison(now, old).changes().onlyBefore()).hasSize(1);
  }

  @Test
  void anArticlesClaimMakesNoOtherCell() {
    SampleBench.Of of = SampleBench.of(Experiment.COPY, "heap", 1 << 20, 1).ms(1, 1, 1, 1, 1);
    BenchResult old = result(of.measured());
    BenchResult now = result(of.claim("A1 1.1", "5 ms", 5).measured());
    assertThat(comparison(old, now).changes().of(0, 0).verdict()).isEqualTo(Change.Verdict.SAME);
  }

  @Test
  void fewRunsAreSaidToBeFew() {
    String few = "With fewer than 4 runs of a cell, what looks faster or slower may be chance.";
    BenchResult three = result(cell("heap", 1, 1, 1));
    BenchResult four = result(cell("heap", 1, 1, 1, 1));
    assertThat(text(three, four)).contains(few);
    assertThat(text(four, three)).contains(few);
    assertThat(text(four, four)).doesNotContain(few);
  }

  @Test
  void noTimeBeforeHasNoRatio() {
    assertThat(text(result(cell("heap", 0, 0, 0, 0)), result(cell("heap", 1, 1, 1, 1))))
        .contains("-  slower");
  }

  private static CellResult.Measured cell(String name, double... runsMs) {
    return SampleBench.of(Experiment.COPY, name, 1 << 20, 64 << 20).ms(1, runsMs).measured();
  }

  private static BenchResult result(CellResult... cells) {
    return SampleBench.result(List.of(new BenchResult.Group("copy 64 MiB", "", List.of(cells))));
  }

  private static Comparison comparison(BenchResult old, BenchResult now) {
    return Comparison.of(now, new BenchJson.Saved("old.json", Sheet.of(old)));
  }

  private static String text(BenchResult old, BenchResult now) {
    return comparison(old, now).text(false);
  }
}

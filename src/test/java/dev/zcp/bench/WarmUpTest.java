package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {

  @Test
  void oneRunSaysNothing() {
    CellRuns.WarmUp warmUp = new CellRuns.WarmUp();
    assertThat(warmUp.isOver()).isFalse();
    warmUp.took(100);
    assertThat(warmUp.isOver()).isFalse();
    assertThat(warmUp.runs()).isOne();
  }

  @Test
  void itIsOverWithTwoRunsInARowThatAreHardlyFasterThanTheMedianBefore() {
    assertThat(runsNeeded(100, 95)).as("one such run may be chance").isZero();
    assertThat(runsNeeded(100, 95, 95)).isEqualTo(3);
    assertThat(runsNeeded(100, 500, 100)).as("median 300, then 100").isZero();
    assertThat(runsNeeded(100, 94, 93)).as("one such run after a faster one").isZero();
    assertThat(runsNeeded(100, 94, 93, 90)).as("median 94, and 0.95 of it 89.3").isEqualTo(4);
    assertThat(runsNeeded(100, 98, 60, 100, 100))
        .as("one such run, a faster one, two such runs")
        .isEqualTo(5);
    assertThat(runsNeeded(900, 100, 100, 100, 100)).as("median 500, then 100").isEqualTo(5);
    assertThat(runsNeeded(0, 0, 0)).isEqualTo(3);
  }

  @Test
  void whetherThereIsMoreToGainIsWhatTheLastRunSays() {
    CellRuns.WarmUp warmUp = new CellRuns.WarmUp();
    assertThat(warmUp.isStillFaster()).isFalse();
    warmUp.took(100);
    assertThat(warmUp.isStillFaster()).as("nothing to compare with").isFalse();
    warmUp.took(94);
    assertThat(warmUp.isStillFaster()).isTrue();
    warmUp.took(93);
    assertThat(warmUp.isStillFaster()).isFalse();
  }

  @Test
  void itEndsAfterTenRunsHoweverMuchThereIsToGain() {
    assertThat(runsNeeded(1 << 12, 1 << 11, 1 << 10, 1 << 9, 1 << 8, 1 << 7, 1 << 6, 1 << 5, 16, 8))
        .isEqualTo(CellRuns.WarmUp.RUNS_MAX);
  }

  /// After how many of these runs it was over; 0 where they were too few.
  private static int runsNeeded(long... runsNs) {
    CellRuns.WarmUp warmUp = new CellRuns.WarmUp();
    for (long runNs : runsNs) {
      warmUp.took(runNs);
      if (warmUp.isOver()) {
        return warmUp.runs();
      }
    }
    return 0;
  }
}

package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AxisTest {

  @Test
  void barsBeginAtZeroUnlessTheirTimesAreTooFarApart() {
    assertThat(Axis.forBars(1e6, 40e6).isLogarithmic()).isFalse();
    assertThat(Axis.forBars(1e6, 41e6).isLogarithmic()).isTrue();
    assertThat(Axis.forBars(0, 41e6).isLogarithmic()).isFalse();
    assertThat(Axis.forBars(1e6, 40e6).percent(0)).isZero();
  }

  @Test
  void ticksAreRoundAndNeitherFewNorMany() {
    assertThat(labels(Axis.forBars(40e6, 472e6)))
        .containsExactly("0", "100 ms", "200 ms", "300 ms", "400 ms");
    assertThat(labels(Axis.logarithmic(11e6, 1_900e6))).containsExactly("10 ms", "100 ms", "1 s");
    assertThat(labels(Axis.logarithmic(2e3, 8e3))).containsExactly("2 µs", "3 µs", "5 µs", "10 µs");
  }

  @Test
  void theShortestTimesAreNotPushedToTheLeft() {
    assertThat(Axis.logarithmic(1.0, 1.0).percent(1.0)).isBetween(50.0, 99.5);
    assertThat(Axis.logarithmic(0, 0).ticksNs()).isNotEmpty();
  }

  @Test
  void everyTimeAndEveryTickIsOnAnyAxis() {
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      // Rounds near one nanosecond are rare otherwise, and one failed.
      double lowestNs = Math.exp(random.nextDouble(round % 2 == 0 ? 40 : 1));
      double highestNs = lowestNs * Math.exp(random.nextDouble(15));
      for (Axis axis :
          List.of(Axis.forBars(lowestNs, highestNs), Axis.logarithmic(lowestNs, highestNs))) {
        assertThat(axis.ticksNs()).as("seed %d", seed).hasSizeBetween(1, 6).isSorted();
        assertThat(axis.ticksNs())
            .as("seed %d", seed)
            .allMatch(tickNs -> isOn(axis.percent(tickNs)));
        assertThat(axis.percent(lowestNs))
            .as("seed %d", seed)
            .isLessThan(axis.percent(highestNs) + 1e-9);
        assertThat(axis.percent(highestNs)).as("seed %d", seed).isBetween(50.0, 99.5);
      }
    }
  }

  private static boolean isOn(double percent) {
    return percent >= 0 && percent <= 100;
  }

  private static List<String> labels(Axis axis) {
    return axis.ticksNs().stream().map(Axis::text).toList();
  }
}

package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.HeatMap.HeatCounts;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeatMapTest {

  private static final int READ = Stage.READ.ordinal();

  @Test
  void anOperationIsCountedInItsStepAndItsRow() {
    HeatMap map = new HeatMap();
    map.add(READ, 0, 1_500);
    map.add(READ, 2, 3_000);
    map.add(READ, 2, 3_500);
    map.add(Stage.WRITE.ordinal(), 2, 5_000);
    HeatCounts told = map.told();
    assertThat(told.stepNs()).isEqualTo(HeatMap.STEP_NS);
    assertThat(told.steps()).isEqualTo(3);
    assertThat(told.fromNs()).containsExactly(1024, 2048, 4096);
    assertThat(told.counts().get(Stage.READ)).containsExactly(1, 0, 0, 0, 0, 0, 0, 2, 0);
    assertThat(told.counts().get(Stage.WRITE)).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 1);
  }

  @Test
  void aLongRunHasNoMoreStepsAndLosesNoOperation() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    HeatMap map = new HeatMap();
    int operations = 10_000;
    for (int i = 0; i < operations; i++) {
      map.add(READ, i / 3 + random.nextInt(5), random.nextLong(1L << random.nextInt(1, 63)));
    }
    HeatCounts told = map.told();
    assertThat(told.steps()).isBetween(HeatMap.STEPS_MAX / 2, HeatMap.STEPS_MAX);
    assertThat(told.stepNs() * told.steps()).isGreaterThan(HeatMap.STEP_NS * operations / 3);
    assertThat(Arrays.stream(told.counts().get(Stage.READ)).sum())
        .as("seed %d", seed)
        .isEqualTo(operations);
  }

  @Test
  void aShortRunHasNone() {
    HeatMap map = new HeatMap();
    assertThat(map.told()).isNull();
    map.add(READ, 0, 0);
    assertThat(map.told()).isNull();
  }
}

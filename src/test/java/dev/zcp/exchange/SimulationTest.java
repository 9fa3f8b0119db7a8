package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Runs both ends against each other. A seed that fails is named; `-Dzcp.seed=N` runs it alone.
class SimulationTest {

  private static final int SEEDS = 10_000;

  @Test
  void whateverHappensOnTheWayNothingWrongIsSaidToHaveArrived() {
    Long only = Long.getLong("zcp.seed");
    Simulation.TreeCounter counter = new Simulation.TreeCounter();
    long[] seeds = only == null ? LongStream.range(0, SEEDS).toArray() : new long[] {only};
    for (long seed : seeds) {
      run(seed, counter);
    }
    if (only == null) {
      assertThat(counter.wellSessions).as("sessions that end well").isGreaterThan(SEEDS / 2);
      assertThat(counter.lostConnections).as("connections lost").isGreaterThan(SEEDS / 2);
      assertThat(counter.retiredConnections).as("connections closed").isGreaterThan(SEEDS / 4);
      assertThat(counter.levelsBelow).as("levels not reached").isGreaterThan(SEEDS / 100);
      assertThat(counter.parts).as("parts").isGreaterThan(SEEDS / 4);
      assertThat(counter.looks).as("looks").isGreaterThan(SEEDS / 4);
      assertThat(counter.wanted).as("wanted after all").isGreaterThan(SEEDS / 200);
      assertThat(counter.killed).as("ends that died").isGreaterThan(SEEDS / 10);
      assertThat(counter.offeredAnew).as("offered anew").isGreaterThan(SEEDS / 10);
      assertThat(counter.kept).as("kept").isGreaterThan(SEEDS / 20);
      assertThat(counter.bytesReused).as("bytes of former versions").isGreaterThan(SEEDS);
      assertThat(counter.bytesResumed).as("bytes resumed").isGreaterThan(SEEDS);
    }
  }

  private static void run(long seed, Simulation.TreeCounter counter) {
    try {
      new Simulation(seed, counter).run();
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed + " (-Dzcp.seed=" + seed + "): " + e, e);
    }
  }
}

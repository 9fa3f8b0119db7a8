package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NoiseWatchTest {

  private static final String STAT =
      """
      cpu  1000 10 500 8000 200 20 30 40 300 5
      cpu0 500 5 250 4000 100 10 15 20 150 2
      intr 12345
      """;

  private static final String SELF =
      "4711 (a ) b (c) S 1 2 3 4 5 6 7 8 9 10 100 50 7 3 20 0 30 0 4242";

  private static final String PRESSURE =
      """
      some avg10=0.04 avg60=0.25 avg300=2.71 total=5000
      full avg10=0.00 avg60=0.00 avg300=0.00 total=17
      """;

  private static final NoiseWatch.Look BEGIN = NoiseWatch.Look.of(0, STAT, SELF, 2000, PRESSURE);

  @Test
  void aLookReadsWhatTheManualSaysStandsThere() {
    assertThat(BEGIN.allTicks()).isEqualTo(9800);
    assertThat(BEGIN.stolenTicks()).isEqualTo(40);
    assertThat(BEGIN.busyTicks()).isEqualTo(1560);
    assertThat(BEGIN.ownTicks()).isEqualTo(160);
    assertThat(BEGIN.pressureUs()).isEqualTo(5000);
  }

  @Test
  void theFastestProcessorsClockIsTaken() {
    assertThat(NoiseWatch.Look.fastestMhz("cpu MHz\t\t: 800.1\nflags : x\ncpu MHz\t\t: 3400.5\n"))
        .isEqualTo(3400.5);
    assertThat(NoiseWatch.Look.fastestMhz("BogoMIPS : 50.00\n")).isNaN();
  }

  @Test
  void whatHappenedBetweenTwoLooksIsInParts() {
    // 1000 ticks later: 50 stolen, 400 of others, 300 of this process, 250 idle.
    NoiseWatch.Shares shares = look(1250, 10, 950, 8250, 90, 400, 2000, 1_005_000).since(BEGIN);
    assertThat(shares.steal()).isCloseTo(0.05, within(1e-9));
    assertThat(shares.others()).isCloseTo(0.40, within(1e-9));
    assertThat(shares.pressure()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void aQuietMachineIsNotSpokenOf() {
    assertThat(warningsAfter(look(1100, 10, 600, 8800, 50, 210, 1850, 900_000))).isEmpty();
  }

  @Test
  void stolenTimeIsSaid() {
    assertThat(warningsAfter(look(1000, 10, 500, 8960, 80, 100, 2000, 5000)))
        .containsExactly(
            "4 % of the processor time was stolen by other guests of this host: figures may be too"
                + " high");
  }

  @Test
  void theWorkOfOthersIsSaid() {
    assertThat(warningsAfter(look(1200, 10, 500, 8800, 40, 100, 2000, 5000)))
        .containsExactly(
            "other processes used 20 % of the processor time: stop them, or trust the fastest runs"
                + " only");
  }

  @Test
  void aClockThatChangedAndChangedBackIsSaid() {
    NoiseWatch watch = new NoiseWatch(BEGIN);
    watch.look(look(1000, 10, 500, 8100, 40, 100, 1500, 5000));
    watch.look(look(1000, 10, 500, 9000, 40, 100, 2000, 5000));
    assertThat(watch.warnings())
        .containsExactly(
            "the processor's clock was between 1500 and 2000 MHz: set its governor to performance");
  }

  @Test
  void waitingForAProcessorIsSaid() {
    assertThat(warningsAfter(look(1000, 10, 500, 9000, 40, 100, 2000, 2_505_000)))
        .containsExactly(
            "for 25 % of the time something was ready to run and had no processor: figures may be"
                + " too high");
  }

  @Test
  void whatCannotBeReadIsNoNoise() {
    NoiseWatch.Look nothing = NoiseWatch.Look.of(0, "", "", Double.NaN, "");
    assertThat(nothing.allTicks()).isNaN();
    assertThat(nothing.ownTicks()).isNaN();
    NoiseWatch watch = new NoiseWatch(nothing);
    watch.look(NoiseWatch.Look.of(10, "", "", 100, ""));
    watch.look(NoiseWatch.Look.of(20, "cpu 1 2\n", "1 (x) S", 1000, "some avg10=1"));
    assertThat(watch.warnings()).isEmpty();
  }

  @Test
  void aRealLookGivesPartsOfTheWhole() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/stat")), "there is no /proc/stat");
    NoiseWatch.Look before = NoiseWatch.Look.now();
    NoiseWatch.Look after;
    do {
      Thread.sleep(10);
      after = NoiseWatch.Look.now();
    } while (after.allTicks() == before.allTicks());
    NoiseWatch.Shares shares = after.since(before);
    assertThat(shares.steal()).isBetween(0.0, 1.0);
    assertThat(shares.others()).isBetween(0.0, 1.0);
    if (Files.isReadable(Path.of("/proc/pressure/cpu"))) {
      assertThat(shares.pressure()).isNotNegative().isFinite();
    }
    assertThat(before.ownTicks()).isPositive();

    NoiseWatch watch = new NoiseWatch(before);
    watch.look(after);
    assertThat(watch.warnings()).doesNotContainNull();
  }

  private static List<String> warningsAfter(NoiseWatch.Look last) {
    NoiseWatch watch = new NoiseWatch(BEGIN);
    watch.look(last);
    return watch.warnings();
  }

  /// Ten seconds after [#BEGIN].
  private static NoiseWatch.Look look(
      long user, long nice, long system, long idle, long steal, long own, double mhz, long some) {
    return NoiseWatch.Look.of(
        10_000_000_000L,
        "cpu  %d %d %d %d 200 20 30 %d 300 5\n".formatted(user, nice, system, idle, steal),
        "4711 (x) S 1 2 3 4 5 6 7 8 9 10 %d 50 7 3 20".formatted(own),
        mhz,
        "some avg10=0.04 avg60=0.25 avg300=2.71 total=%d\n".formatted(some));
  }
}

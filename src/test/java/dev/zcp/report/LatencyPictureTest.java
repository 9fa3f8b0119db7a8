package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.testing.SampleLatencies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyPictureTest {

  @Test
  void aSampleOnATickStandsOnThatTick() {
    assertThat(picture(1_000))
        .containsExactly(
            "            1 µs                10 µs", "copy        █                   ┊");
    assertThat(picture(9_999))
        .containsExactly(
            "            1 µs                10 µs", "copy        ┊                  █┊");
  }

  @Test
  void timesFromZeroToMonthsHaveTheirPlace() {
    assertThat(picture(0, Long.MAX_VALUE / 1000))
        .containsExactly(
            "            1 ns     1 µs     1 ms     1 s      1000 s   1000000 s",
            "copy        █        ┊        ┊        ┊        ┊        ┊ █");
  }

  @Test
  void aSingleSampleAmongManyIsSeen() {
    long[] samplesNs = new long[100_001];
    Arrays.fill(samplesNs, 20_000);
    samplesNs[0] = 700_000_000;
    assertThat(picture(samplesNs).getLast()).contains("█").contains("▁");
  }

  @Test
  void barsGrowWithTheNumberOfSamples() {
    List<Long> samples = new ArrayList<>();
    for (int column = 0; column < 8; column++) {
      for (int i = 0; i <= column; i++) {
        samples.add((long) (1_050 * Math.pow(10, column / 20.0)));
      }
    }
    long[] samplesNs = samples.stream().mapToLong(Long::longValue).toArray();
    assertThat(picture(samplesNs).getLast()).isEqualTo("copy        ▁▂▃▄▅▆▇█            ┊");
    assertThat(
            LatencyPicture.lines(
                    Map.of(Stage.COPY, SampleLatencies.of(samplesNs)), WorkSide.LOCAL, false, 80)
                .getLast())
        .isEqualTo("copy        .:-=+*#@            |");
  }

  @Test
  void noSampleIsLeftOut() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      long sampleNs = (long) Math.exp(random.nextDouble(43));
      assertThat(picture(sampleNs).getLast()).as("%d ns, seed %d", sampleNs, seed).contains("█");
    }
  }

  private static List<String> picture(long... samplesNs) {
    return LatencyPicture.lines(
        Map.of(Stage.COPY, SampleLatencies.of(samplesNs)), WorkSide.LOCAL, true, 80);
  }
}

package dev.zcp.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.profile.RouteKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class TuneResultTest {

  private static final RawPath PROFILE = RawPath.of("/etc/zcp/profile.json");
  private static final TuneResult.Chosen DIRECT =
      new TuneResult.Chosen(new Choice("direct", 0), 2_000);
  private static final TuneResult.Chosen SPLICE =
      new TuneResult.Chosen(new Choice("splice", 2 << 20), 22_000_000);

  private static final Summary TEN_MS = Summary.of(9.5e6, 10e6, 10.5e6);
  private static final Summary ALMOST_TEN_MS = Summary.of(9.3e6, 9.9e6, 10.4e6);
  private static final Summary EIGHT_MS = Summary.of(7.9e6, 8e6, 8.1e6);

  @Test
  void whatIsFasterByMoreThanChanceChangesWhatAutoDoes() {
    TuneResult result = result(SPLICE, new TuneResult.Duel(EIGHT_MS, TEN_MS), "");
    assertThat(result.isBetter()).isTrue();
    assertThat(text(result))
        .isEqualTo(
            """
            to 10.0.0.2: 256 MiB, seed 7

            STRATEGY  CHUNK     FIRST    MEDIAN   QUARTILES          RATE        RUNS
            * splice  2.00 MiB  20.0 ms  8.00 ms  7.95 ms - 8.05 ms  31.3 GiB/s  3
              direct  own       20.0 ms  10.0 ms  9.75 ms - 10.3 ms  25.0 GiB/s  3
            reflink: no, not here
            mmap: not tried, auto never takes it: a source may be cut short meanwhile
            * the fastest for such a file with its start-up added, which no row shows;
              with another chunk than its own only if that wins by more than chance

            auto takes direct for such a file by itself. Once more against it,
            splice, 2.00 MiB took 8.00 ms and direct 10.0 ms,
            start-up and all: 20 % less.
            From now on auto goes by these figures for files of 256 MiB and more:
            for one of 256 MiB it takes splice, 2.00 MiB.
            profile: /etc/zcp/profile.json
            """);
    assertThat(new String(TuneReport.json(result, PROFILE), UTF_8))
        .contains(
            "\"host\":\"10.0.0.2\"", "\"gain\":0.2", "\"better\":true", "\"medianNs\":8000000");
  }

  @Test
  void whatIsFasterByChanceChangesNothing() {
    TuneResult result = result(SPLICE, new TuneResult.Duel(ALMOST_TEN_MS, TEN_MS), "");
    assertThat(result.isBetter()).isFalse();
    assertThat(text(result))
        .contains(
            "nothing beats it by more than chance.\n",
            "For files of 256 MiB and more auto stays as it is:\n");
    assertThat(new String(TuneReport.json(result, PROFILE), UTF_8))
        .contains("\"gain\":0.01,\"better\":false");
  }

  @Test
  void whatIsSlowerOnceMoreChangesNothing() {
    TuneResult result = result(SPLICE, new TuneResult.Duel(TEN_MS, EIGHT_MS), "");
    assertThat(result.isBetter()).isFalse();
  }

  @Test
  void whatAutoTakesAnywayNeedsNoSecondLook() {
    TuneResult result = result(DIRECT, null, "");
    assertThat(result.isBetter()).isFalse();
    assertThat(text(result))
        .contains("auto takes direct for such a file by itself, and stays with it.\n");
    assertThat(new String(TuneReport.json(result, PROFILE), UTF_8))
        .contains("\"gain\":null,\"better\":false");
  }

  @Test
  void aProfileThatWasLostIsToldOf() {
    assertThat(text(result(DIRECT, null, "is not JSON")))
        .endsWith("is replaced, since it could not be read: is not JSON\n");
  }

  private static TuneResult result(TuneResult.Chosen fastest, TuneResult.Duel again, String lost) {
    return new TuneResult(
        new RouteKey.Send("10.0.0.2"),
        256 << 20,
        7,
        List.of(
            new TuneResult.Trial.Timed(new Choice("direct", 0), 20_000_000, TEN_MS, 3),
            new TuneResult.Trial.Refused(new Choice("reflink", 0), "not here"),
            new TuneResult.Trial.Timed(new Choice("splice", 2 << 20), 20_000_000, EIGHT_MS, 3)),
        fastest,
        DIRECT,
        again,
        again != null && again.isWon() ? fastest.choice() : DIRECT.choice(),
        lost,
        null);
  }

  private static String text(TuneResult result) {
    return String.join("\n", TuneReport.lines(result, PROFILE)) + "\n";
  }
}

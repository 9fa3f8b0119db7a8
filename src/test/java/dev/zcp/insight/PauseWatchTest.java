package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Result.ProcessFacts.Pauses;
import org.junit.jupiter.api.Test;

class PauseWatchTest {

  private static final long MS = 1_000_000;

  /// Any moment: nanoTime may be negative.
  private static final long BEGAN_NS = -5000 * MS;

  private final PauseWatch watch = new PauseWatch();

  @Test
  void stepsThatAreLittleLateAreNoPauses() {
    watch.beginAt(BEGAN_NS);
    watch.look(BEGAN_NS + 10 * MS);
    watch.look(BEGAN_NS + 29 * MS);
    assertThat(watch.close(BEGAN_NS + 45 * MS)).isEqualTo(new Pauses(0, 0, 0, 0));
  }

  @Test
  void aClockThatJumpedIsAPauseLessTheStep() {
    watch.beginAt(BEGAN_NS);
    watch.look(BEGAN_NS + 410 * MS);
    watch.look(BEGAN_NS + 450 * MS);
    assertThat(watch.close(BEGAN_NS + 451 * MS)).isEqualTo(new Pauses(2, 430 * MS, 400 * MS, 0));
  }

  @Test
  void aPauseThatLastsToTheEndIsFound() {
    watch.beginAt(BEGAN_NS);
    assertThat(watch.close(BEGAN_NS + 60 * MS)).isEqualTo(new Pauses(1, 50 * MS, 50 * MS, 0));
  }

  @Test
  void aSampleThatBeganBeforeThePauseEndedOverlapsIt() {
    watch.beginAt(BEGAN_NS);
    watch.look(BEGAN_NS + 410 * MS);
    watch.sampled(401 * MS, BEGAN_NS + 411 * MS);
    watch.look(BEGAN_NS + 425 * MS);
    watch.sampled(20 * MS, BEGAN_NS + 431 * MS);
    assertThat(watch.close(BEGAN_NS + 431 * MS).samplesOverlapped()).isEqualTo(1);
  }

  /// Whoever books may run before the thread that looks at the clock.
  @Test
  void aSampleThatIsBookedBeforeThePauseIsSeenOverlapsIt() {
    watch.beginAt(BEGAN_NS);
    watch.sampled(405 * MS, BEGAN_NS + 410 * MS);
    watch.sampled(30 * MS, BEGAN_NS + 410 * MS);
    assertThat(watch.close(BEGAN_NS + 410 * MS).samplesOverlapped()).isEqualTo(1);
  }

  @Test
  void nobodyWatchesAShortTransfer() {
    watch.started(System.nanoTime());
    watch.workedOn();
    assertThat(watch.close(System.nanoTime())).isNull();
  }
}

package dev.zcp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.engine.Transfer.Pace;
import org.junit.jupiter.api.Test;

class PaceTest {

  private static final long MIB = 1 << 20;

  @Test
  void aChunkDoublesWhileItIsDoneSoonAndStopsAtTheMost() {
    Pace pace = Pace.adaptive(24 * MIB);

    assertThat(pace.chunkBytes()).isEqualTo(4 * MIB);
    pace.took(4 * MIB, Pace.SOON_NS - 1);
    assertThat(pace.chunkBytes()).isEqualTo(8 * MIB);
    pace.took(8 * MIB, Pace.SOON_NS - 1);
    assertThat(pace.chunkBytes()).isEqualTo(16 * MIB);
    pace.took(16 * MIB, Pace.SOON_NS - 1);
    assertThat(pace.chunkBytes()).isEqualTo(24 * MIB);
    pace.took(24 * MIB, Pace.SOON_NS);
    assertThat(pace.chunkBytes()).isEqualTo(24 * MIB);
  }

  @Test
  void aStepThatMovedLessThanItsChunkSaysNothingOfLargerOnes() {
    Pace pace = Pace.adaptive(64 * MIB);

    pace.took(4 * MIB - 1, 1);

    assertThat(pace.chunkBytes()).isEqualTo(4 * MIB);
  }

  @Test
  void aSlowLinkHalvesTheChunkDownToTheLeast() {
    Pace pace = Pace.adaptive(64 * MIB);

    pace.took(4 * MIB, Pace.LATE_NS);
    assertThat(pace.chunkBytes()).isEqualTo(4 * MIB);
    for (int i = 0; i < 20; i++) {
      pace.took(1, Pace.LATE_NS + 1);
    }
    assertThat(pace.chunkBytes()).isEqualTo(Pace.CHUNK_BYTES_MIN);
  }

  @Test
  void aChosenChunkStaysAsItIs() {
    Pace pace = Pace.of(new Choice(Choice.AUTO, 1), 64 * MIB);

    pace.took(1, 1);
    pace.took(1, Long.MAX_VALUE);

    assertThat(pace.chunkBytes()).isEqualTo(1);
  }

  @Test
  void aStrategyThatPrefersNoLimitGetsTheWholeFileAtOnce() {
    assertThat(Pace.of(Choice.DEFAULT, Long.MAX_VALUE).chunkBytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(Pace.of(new Choice(Choice.AUTO, Choice.WHOLE), MIB).chunkBytes())
        .isEqualTo(Long.MAX_VALUE);
  }
}

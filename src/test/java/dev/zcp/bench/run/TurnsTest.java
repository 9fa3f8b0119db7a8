package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

  private static final int CELLS = 8;
  private static final int ROUNDS = 20;

  @Test
  void everyCellHasItsTurnOnceARound() {
    for (List<Integer> round : rounds(1)) {
      assertThat(round).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }
  }

  @Test
  void theSeedDecidesAndNoRoundIsLikeAllOthers() {
    assertThat(rounds(1)).isEqualTo(rounds(1)).isNotEqualTo(rounds(2));
    assertThat(new HashSet<>(rounds(1))).hasSizeGreaterThan(ROUNDS / 2);
  }

  private static List<List<Integer>> rounds(long seed) {
    Turns turns = new Turns(seed, CELLS);
    List<List<Integer>> rounds = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      rounds.add(turns.next());
    }
    return rounds;
  }
}

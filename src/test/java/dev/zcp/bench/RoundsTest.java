package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundsTest {

  private static final List<Integer> COMPETITORS = List.of(0, 1, 2, 3, 4, 5, 6, 7);
  private static final int ROUNDS = 20;

  @Test
  void everyoneHasOneTurnARound() {
    for (List<Integer> round : rounds(1, 99)) {
      assertThat(round).containsExactlyInAnyOrderElementsOf(COMPETITORS);
    }
  }

  @Test
  void theSeedDecidesAndNoRoundIsLikeAllOthers() {
    assertThat(rounds(1, 99)).isEqualTo(rounds(1, 99)).isNotEqualTo(rounds(2, 99));
    assertThat(new HashSet<>(rounds(1, 99))).hasSizeGreaterThan(ROUNDS / 2);
  }

  @Test
  void whoLeavesChangesNobodyElsesTurn() {
    List<List<Integer>> all = rounds(1, 99);
    List<List<Integer>> some = rounds(1, 5);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(some.get(i)).isEqualTo(all.get(i).stream().filter(each -> each < 5).toList());
    }
  }

  /// @param below who takes part
  private static List<List<Integer>> rounds(long seed, int below) {
    Random random = new Random(seed);
    List<List<Integer>> turns = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<Integer> round = Bench.shuffled(COMPETITORS, random);
      turns.add(round.stream().filter(each -> each < below).toList());
    }
    return turns;
  }
}

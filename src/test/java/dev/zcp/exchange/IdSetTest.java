package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdSetTest {

  @Test
  void itHoldsWhatWasAddedAndNothingElse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    IdSet ids = new IdSet();
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      long id = random.nextInt(400);
      ids.add(id);
      expected.add(id);
    }
    for (long id = 0; id < 400; id++) {
      assertThat(ids.contains(id)).as("seed %d, id %d", seed, id).isEqualTo(expected.contains(id));
    }
  }

  @Test
  void neighboursTakeTheRoomOfOne() {
    IdSet ids = new IdSet();
    for (long id = 0; id < 1000; id += 2) {
      ids.add(id);
    }
    assertThat(ids.runs()).isEqualTo(500);
    for (long id = 1; id < 1000; id += 2) {
      ids.add(id);
    }
    assertThat(ids.runs()).isEqualTo(1);
  }
}

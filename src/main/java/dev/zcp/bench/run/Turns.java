package dev.zcp.bench.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// In which order the cells of a group take turns: in each round another, so that whatever a cell
/// leaves behind falls on no other cell alone. The same seed gives the same orders, whichever cells
/// still take part: those that do not are left out.
final class Turns {

  private final Random random;
  private final int cells;

  Turns(long seed, int cells) {
    this.random = new Random(seed);
    this.cells = cells;
  }

  /// The order of the next round: each number below the number of cells, once.
  List<Integer> next() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < cells; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    return order;
  }
}

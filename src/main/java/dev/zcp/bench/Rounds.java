package dev.zcp.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/// Has competitors take turns: each once a round, in each round in another order. So whatever one
/// leaves behind, and whatever the machine does besides, falls on no other alone.
final class Rounds<C> {

  private final List<C> competitors;
  private final Random random;

  /// What is done when it is a competitor's turn.
  @FunctionalInterface
  interface Turn<C, E extends Exception> {
    void take(C competitor) throws E;
  }

  /// @param random decides the orders, the same whoever takes part
  Rounds(List<C> competitors, Random random) {
    this.competitors = competitors;
    this.random = random;
  }

  /// Makes the next round. Those that do not take part when it is their turn are left out.
  <E extends Exception> void round(Predicate<C> takesPart, Turn<C, E> turn) throws E {
    List<C> order = new ArrayList<>(competitors);
    Collections.shuffle(order, random);
    for (C competitor : order) {
      if (takesPart.test(competitor)) {
        turn.take(competitor);
      }
    }
  }
}

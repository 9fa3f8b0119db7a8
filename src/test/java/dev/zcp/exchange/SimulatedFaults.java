package dev.zcp.exchange;

import dev.zcp.wire.Offered;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// How likely what goes wrong in a simulation, each as one in so many; 0 is never.
final class SimulatedFaults {

  private final Random random;
  int refusal;
  int disk;
  int damage;
  int cut;

  /// That a connection is to be closed by its sender, once nothing is under way on it.
  int spent;

  int change;
  int senderDies;
  int receiverDies;
  int givesUp;
  boolean takesLinks = true;

  /// Whether something went wrong in this attempt that a session may fail by: lost connections and
  /// some damage alone are none.
  boolean hasExcuse;

  /// Of each path, how the simulation keeps its content.
  final Map<String, Integer> cellBytes = new HashMap<>();

  SimulatedFaults(Random random) {
    this.random = random;
  }

  boolean happens(int oneIn) {
    return oneIn > 0 && random.nextInt(oneIn) == 0;
  }

  /// As [#happens], of what a session may fail by.
  boolean happensToHarm(int oneIn) {
    boolean happens = happens(oneIn);
    hasExcuse |= happens;
    return happens;
  }

  int cellBytes(Offered entry) {
    return cellBytes.get(entry.path().toString());
  }
}

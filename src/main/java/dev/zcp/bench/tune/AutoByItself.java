package dev.zcp.bench.tune;

import dev.zcp.copy.Explanation;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Tuning;
import java.util.List;

/// What `auto` does on a way as long as it has no profile: a process that copies one file, and has
/// bound no system calls yet. Asked for before the first trial, since trials bind them.
final class AutoByItself {

  private final List<Engine.Candidate> order;

  private AutoByItself(List<Engine.Candidate> order) {
    this.order = order;
  }

  /// @throws Failure where an end cannot be looked at
  static AutoByItself on(Strategies strategies, RawPath source, RawPath target) throws Failure {
    return new AutoByItself(Explanation.of(strategies, source, target, null).usable());
  }

  /// The strategies in the order in which `auto` tries them.
  List<String> order() {
    return order.stream().map(each -> each.strategy().name()).toList();
  }

  /// The order in which it tries them for a file of `bytes`, once it goes by `tuning`.
  List<Engine.Candidate> order(Tuning tuning, long bytes) {
    return Engine.rank(order, tuning, bytes);
  }

  /// What the strategy pays before its first byte, which no trial shows; 0 where it cannot serve.
  long startUpNs(String strategy) {
    Engine.Candidate found = find(strategy);
    return found == null ? 0 : found.verdict().cost().startUpNs();
  }

  /// The strategy's own chunk, in bytes; 0 where it cannot serve.
  long chunkBytes(String strategy) {
    Engine.Candidate found = find(strategy);
    return found == null ? 0 : found.verdict().chunkBytes();
  }

  private Engine.Candidate find(String strategy) {
    for (Engine.Candidate each : order) {
      if (each.strategy().name().equals(strategy)) {
        return each;
      }
    }
    return null;
  }
}

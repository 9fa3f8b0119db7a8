package dev.zcp.cli;

import dev.zcp.bench.BenchOnly;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The words that `zcp bench --strategy` takes: those of the strategies, looked up only when
/// somebody iterates, and those that the benchmark alone has.
final class ContenderNames implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    List<String> names = new ArrayList<>();
    for (String name : new StrategyNames()) {
      names.add(name);
    }
    names.addAll(BenchOnly.words());
    return names.iterator();
  }

  /// Proper names for what was typed, each once.
  ///
  /// @throws Failure USAGE where one is of nobody
  static List<String> proper(List<String> typed, Strategies strategies) throws Failure {
    Set<String> names = new LinkedHashSet<>();
    for (String name : typed) {
      names.add(proper(name, strategies));
    }
    return List.copyOf(names);
  }

  private static String proper(String typed, Strategies strategies) throws Failure {
    if (typed.equalsIgnoreCase(Choice.AUTO)) {
      return Choice.AUTO;
    }
    Optional<BenchOnly> own = BenchOnly.named(typed);
    if (own.isPresent()) {
      return own.get().word();
    }
    try {
      return strategies.named(typed).name();
    } catch (Failure e) {
      List<String> all = new ArrayList<>(List.of(Choice.AUTO));
      all.addAll(strategies.names());
      all.addAll(BenchOnly.words());
      String hint = Nearest.to(typed, all).map(n -> "; did you mean " + n + "?").orElse("");
      throw Failure.of(ExitCode.USAGE, "--strategy: there is no '" + typed + "'" + hint)
          .with("one of: " + String.join(", ", all))
          .because(e);
    }
  }
}

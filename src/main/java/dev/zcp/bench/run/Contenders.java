package dev.zcp.bench.run;

import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All that can be measured: the strategies of the process, `auto`, and what only the benchmark
/// has.
final class Contenders {

  private final Strategies strategies;
  private final Map<String, Contender> own;

  private Contenders(Strategies strategies, Map<String, Contender> own) {
    this.strategies = strategies;
    this.own = own;
  }

  static Contenders of(Strategies strategies) {
    return new Contenders(strategies, Map.of())
        .with(
            List.of(
                new FileStreamContender(),
                new SingleByteContender(),
                new RandomAccessFileContender(),
                new MappedOnceContender(),
                new MappedBufferContender()));
  }

  /// These and `others`.
  Contenders with(List<Contender> others) {
    Map<String, Contender> all = new LinkedHashMap<>(own);
    for (Contender other : others) {
      all.put(other.name(), other);
    }
    return new Contenders(strategies, all);
  }

  Strategies strategies() {
    return strategies;
  }

  /// @throws Failure USAGE where there is none of this name
  Contender named(String name) throws Failure {
    Contender contender = own.get(name);
    return contender == null ? new StrategyContender(strategies, name) : contender;
  }
}

package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The option that adds strategies to the built-in ones.
final class StrategyJars {

  private final OptionSpec jars =
      Options.values("JAR", "Also load strategies from JAR. May be repeated.", "--strategy-path")
          .build();

  void addTo(CommandSpec spec) {
    spec.addOption(jars);
  }

  /// @throws Failure USAGE if a jar is missing or holds no strategy
  Strategies load() throws Failure {
    List<Path> paths = new ArrayList<>();
    for (String jar : Options.valuesOf(jars)) {
      paths.add(RawText.path(jar).toPath());
    }
    return Strategies.load(paths);
  }
}

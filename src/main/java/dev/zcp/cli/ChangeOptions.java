package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.tree.Policy.OnChange;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options that say what is done if a source changes, or something of it cannot be kept.
final class ChangeOptions {

  /// In the order of [OnChange].
  private static final List<String> ON_CHANGE = List.of("fail", "retry", "accept");

  private final OptionSpec onChange =
      Options.value(
              "HOW",
              "What to do if a source changes while it is read: fail, retry (once, then"
                  + " fail), or accept what was read.",
              "--on-change")
          .defaultValue("retry")
          .completionCandidates(ON_CHANGE)
          .build();
  private final OptionSpec strict =
      Options.flag(
          "Fail if a target cannot keep an attribute that should be preserved."
              + " Without --strict this is only reported, once for each kind.",
          "--strict");

  void addTo(CommandSpec spec) {
    spec.addOption(onChange);
    spec.addOption(strict);
  }

  boolean strict() {
    return Options.isSet(strict);
  }

  /// @throws Failure USAGE if the word is unknown
  OnChange onChange() throws Failure {
    String typed = RawText.printable(Options.valueOf(onChange));
    return OnChange.values()[
        ON_CHANGE.indexOf(Lists.oneOf(ON_CHANGE, typed, onChange.longestName()))];
  }
}

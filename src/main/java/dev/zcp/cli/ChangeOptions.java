package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.tree.OnChange;
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
              "What to do about a source that changes while it is read: fail, retry once and then"
                  + " fail, or accept what was read.",
              "--on-change")
          .defaultValue("retry")
          .completionCandidates(ON_CHANGE)
          .build();
  private final OptionSpec strict =
      Options.flag(
          "Fail where a target cannot keep what was to be preserved. Else that is told, once for"
              + " each kind.",
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

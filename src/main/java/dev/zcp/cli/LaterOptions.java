package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Habits from cp that are not there yet. Whoever types them gets told, not a riddle about an
/// unknown option.
final class LaterOptions {

  private final OptionSpec directories =
      OptionSpec.builder("-r", "-R", "--recursive", "-a", "--archive")
          .type(boolean.class)
          .hidden(true)
          .description("Take directories with all that is in them.")
          .build();

  void addTo(CommandSpec spec) {
    spec.addOption(directories);
  }

  /// @throws Failure USAGE where one of them was typed
  void refuse() throws Failure {
    if (Options.isSet(directories)) {
      throw Failure.of(
          ExitCode.USAGE, "-r and -a: directories come with a later version; name the files");
    }
  }
}

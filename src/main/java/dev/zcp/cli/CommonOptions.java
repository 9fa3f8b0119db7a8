package dev.zcp.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of every command.
public final class CommonOptions {

  private final OptionSpec debug =
      Options.flag("Print a stack trace if the command fails.", "--debug");
  private final OptionSpec help = Options.flag("Print this help and exit.", "-h", "--help");
  private final OptionSpec version = Options.flag("Print the version and exit.", "-V", "--version");

  boolean helpWanted() {
    return Options.isSet(help);
  }

  boolean versionWanted() {
    return Options.isSet(version);
  }

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(debug, help, version)) {
      spec.addOption(option);
    }
  }
}

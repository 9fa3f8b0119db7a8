package dev.zcp.cli;

import dev.zcp.copy.Placement;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The operands of `zcp copy`, and the options that say which of them is the target.
final class TargetOptions {

  private final OptionSpec directory =
      Options.value(
              "DIRECTORY",
              "Copy into DIRECTORY, which must exist. All operands are sources.",
              "-t",
              "--target-directory")
          .build();
  private final OptionSpec exactly =
      Options.flag(
          "TARGET is the name of the copy, even if it is a directory.",
          "-T",
          "--no-target-directory");
  private final PositionalParamSpec operands = Options.operands("0..*", "SOURCE... TARGET").build();

  /// What was typed, told apart.
  record Ends(List<RawPath> sources, RawPath target, Placement placement) {}

  void addTo(CommandSpec spec) {
    spec.addOption(directory);
    spec.addOption(exactly);
    spec.addPositional(operands);
  }

  /// @throws Failure USAGE if one is missing, or one is too many
  Ends ends() throws Failure {
    List<RawPath> paths = Options.paths(Options.valuesOf(operands));
    String into = Options.valueOf(directory);
    Ends ends = into == null ? told(paths) : inside(paths, RawText.path(into));
    Options.standardInputAtMostOnce(ends.sources());
    return ends;
  }

  private Ends told(List<RawPath> paths) throws Failure {
    if (paths.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "SOURCE and TARGET are missing");
    }
    if (paths.size() == 1) {
      throw Failure.of(ExitCode.USAGE, "TARGET is missing after " + paths.getFirst());
    }
    boolean one = Options.isSet(exactly);
    if (one && paths.size() > 2) {
      throw Failure.of(ExitCode.USAGE, "-T takes one SOURCE, but there are " + (paths.size() - 1));
    }
    return new Ends(
        paths.subList(0, paths.size() - 1),
        paths.getLast(),
        one ? Placement.EXACTLY : Placement.AS_FOUND);
  }

  private Ends inside(List<RawPath> paths, RawPath into) throws Failure {
    if (Options.isSet(exactly)) {
      throw Failure.of(ExitCode.USAGE, "-t and -T cannot be combined");
    }
    if (paths.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "SOURCE is missing");
    }
    if (into.isStandardStream()) {
      throw Failure.of(ExitCode.USAGE, "-t needs a directory, not '-'");
    }
    return new Ends(paths, into, Placement.INSIDE);
  }
}

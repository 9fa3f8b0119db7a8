package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` that say where its findings go.
final class BenchOutputOptions {

  private final OptionSpec json =
      Options.flag(
          "Write JSON to standard output, one object for each cell; the table goes to standard"
              + " error.",
          "--json");
  private final OptionSpec csv =
      Options.flag(
          "Write CSV to standard output, one line for each cell; the table goes to standard error.",
          "--csv");
  private final OptionSpec html =
      Options.value("FILE", "Write a page with charts for a browser to FILE.", "--html").build();
  private final OptionSpec compare =
      Options.value(
              "FILE", "Compare with FILE, which an earlier benchmark wrote by --json.", "--compare")
          .build();
  private final OptionSpec progress =
      Options.value("WHEN", "Show progress: auto is on a terminal only.", "--progress")
          .defaultValue(ProgressWhen.AUTO.word())
          .completionCandidates(ProgressWhen.WORDS)
          .build();
  private final OptionSpec quiet =
      Options.flag(
          "Print what goes to standard output and what goes wrong, nothing else. Wins over"
              + " --verbose.",
          "-q",
          "--quiet");
  private final OptionSpec verbose =
      Options.flag("Show more columns: the spread, the processor, the calls.", "-v", "--verbose");

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(json, csv, html, compare, progress, quiet, verbose)) {
      spec.addOption(option);
    }
  }

  /// @throws Failure USAGE where two forms are to go to one place
  BenchOutput output() throws Failure {
    boolean isQuiet = Options.isSet(quiet);
    return new BenchOutput(
        form(),
        path(html),
        path(compare),
        Options.isSet(verbose) && !isQuiet,
        isQuiet,
        ProgressWhen.of(RawText.printable(Options.valueOf(progress))));
  }

  private BenchOutput.Form form() throws Failure {
    if (Options.isSet(json) && Options.isSet(csv)) {
      throw Failure.of(ExitCode.USAGE, "--json and --csv cannot both go to standard output");
    }
    if (Options.isSet(json)) {
      return BenchOutput.Form.JSON;
    }
    return Options.isSet(csv) ? BenchOutput.Form.CSV : BenchOutput.Form.TABLE;
  }

  private static RawPath path(OptionSpec option) throws Failure {
    String typed = Options.valueOf(option);
    return typed == null ? null : RawText.path(typed);
  }
}

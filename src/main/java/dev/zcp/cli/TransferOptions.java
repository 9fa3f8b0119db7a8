package dev.zcp.cli;

import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.tree.OutputFiles;
import dev.zcp.walk.Selection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of every command that moves bytes: how to move them and how to report it.
final class TransferOptions {

  private final StrategyJars jars = new StrategyJars();
  private final OptionSpec strategy =
      Options.value(
              "NAME",
              "Move the bytes only with this strategy; see 'zcp strategies'. auto uses"
                  + " the fastest one for the route, and others if that one fails.",
              "--strategy")
          .defaultValue(Choice.AUTO)
          .completionCandidates(new StrategyNames())
          .build();
  private final OptionSpec chunkSize =
      Options.value(
              "SIZE",
              "Move at most SIZE bytes in one step, such as 64K, 1M or 2G. 'whole' moves"
                  + " the file in one step. By default the strategy chooses.",
              "--chunk-size")
          .build();
  private final OptionSpec histogram =
      Options.value(
              "FILE",
              "Write the latencies to FILE, in the log format of HdrHistogram.",
              "--histogram")
          .build();
  private final OptionSpec json =
      Options.flag(
          "Write events to standard output: one JSON object per line, the result last.", "--json");
  private final OptionSpec progress =
      Options.value("WHEN", "When to show progress. auto: only on a terminal.", "--progress")
          .defaultValue(ProgressWhen.AUTO.word())
          .completionCandidates(ProgressWhen.WORDS)
          .build();
  private final OptionSpec quiet =
      Options.flag(
          "Print errors only: no progress and no summary. Overrides --verbose.", "-q", "--quiet");
  private final OptionSpec verbose = Options.flag("Name every file.", "-v", "--verbose");

  void addTo(CommandSpec spec) {
    spec.addOption(strategy);
    jars.addTo(spec);
    for (OptionSpec option : List.of(chunkSize, histogram, json, progress, quiet, verbose)) {
      spec.addOption(option);
    }
  }

  /// @throws Failure USAGE if a jar named is missing or holds no strategy
  Strategies strategies() throws Failure {
    return jars.load();
  }

  /// What the engine is asked for, by the strategy's own name.
  ///
  /// @throws Failure USAGE if there is no such strategy or the chunk is no size
  Choice choice(Strategies strategies) throws Failure {
    String typed = RawText.printable(Options.valueOf(strategy));
    boolean auto = typed.equalsIgnoreCase(Choice.AUTO);
    return new Choice(auto ? Choice.AUTO : strategies.named(typed).name(), chunkBytes());
  }

  /// @param dataOnStandardOutput whether the bytes of a file go there
  /// @throws Failure USAGE if JSON would go there as well
  ReportRequest report(boolean dataOnStandardOutput) throws Failure {
    if (dataOnStandardOutput && Options.isSet(json)) {
      throw Failure.of(
          ExitCode.USAGE, "--json and the data of '-' cannot both go to standard output");
    }
    return new ReportRequest(
        Options.isSet(quiet),
        Options.isSet(verbose) && !Options.isSet(quiet),
        Options.isSet(json),
        ProgressWhen.of(RawText.printable(Options.valueOf(progress))),
        histogramFile(),
        dataOnStandardOutput);
  }

  /// The files that these options write.
  ///
  /// @param selection what is taken of the sources
  /// @throws Failure USAGE if two of them are one, or are what the other options read
  OutputFiles outputs(Selection selection) throws Failure {
    OutputFiles outputs = new OutputFiles();
    if (Options.isSet(json)) {
      outputs.addStandardOutput();
    }
    outputs.add("--histogram", histogramFile());
    if (selection.names() != null) {
      outputs.requireApart(selection.names().file(), "is what --files-from reads");
    }
    return outputs;
  }

  private RawPath histogramFile() throws Failure {
    String file = Options.valueOf(histogram);
    return file == null ? null : RawText.path(file);
  }

  private long chunkBytes() throws Failure {
    String typed = Options.valueOf(chunkSize);
    return typed == null
        ? Choice.ADAPTIVE
        : Numbers.chunkBytes(chunkSize, RawText.printable(typed));
  }
}

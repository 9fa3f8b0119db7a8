package dev.zcp.cli;

import dev.zcp.bench.Bench;
import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.BenchRequest.BenchListener;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import dev.zcp.tree.OutputFiles;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

final class BenchCommand extends Command {

  private final BenchOptions options = group(new BenchOptions());
  final BenchReports reports = group(new BenchReports());
  private final Option tune = option("--tune");
  private final PositionalParamSpec experiments =
      operands("0..*", "EXPERIMENT", BenchOptions.WORDS);

  BenchCommand() {
    super("zcp bench");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return List.of(
        OptionConflict.of("--file", "--size --content", "--file names one that is there"),
        OptionConflict.of("--file", "--article", "an article has its own file"));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = options.strategies();
    if (isSet(tune)) {
      return new TuneRun(this, experiments, reports, shell).run(strategies);
    }
    BenchRequest request = request();
    OutputFiles outputs = new OutputFiles().addStandardOutput().add("--html", reports.page());
    outputs.requireApart(request.file(), "is what --file reads");
    BenchListener listener = reports.begin(request, shell);
    return reports.finish(Bench.run(request, strategies, listener));
  }

  BenchRequest request() throws Failure {
    return options.request(valuesOf(experiments), commandLine());
  }

  /// What was typed, for a record that somebody may want to repeat: options first, in the order of
  /// the help. A word with blanks or the like stands in quotes, as sh(1) takes them.
  private String commandLine() {
    StringBuilder text = new StringBuilder(title());
    for (OptionSpec option : spec().options()) {
      for (String value : option.originalStringValues()) {
        text.append(' ').append(option.longestName());
        if (Help.takesValue(option)) {
          text.append('=').append(RawText.quoted(value));
        }
      }
    }
    for (String operand : valuesOf(experiments)) {
      text.append(' ').append(RawText.quoted(operand));
    }
    return text.toString();
  }
}

package dev.zcp.cli;

import dev.zcp.bench.TuneReport;
import dev.zcp.bench.TuneResult;
import dev.zcp.bench.Tuner;
import dev.zcp.bench.Tuner.TuneListener;
import dev.zcp.bench.Tuner.TuneRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.report.Screen;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp bench --tune`: what the other options of the command mean beside it, a tuning, and what is
/// told of it. As with the other benchmarks, the table is what goes to standard output; with
/// `--json` it goes to standard error.
final class TuneRun implements TuneListener {

  /// What may be given besides.
  private static final List<String> OF_USE =
      List.of(
          ("--tune --size --runs --seed --json --quiet --strategy-path --debug --help "
                  + "--version")
              .split(" "));

  private static final long SIZE_BYTES = 256L << 20;
  private static final int RUNS_MAX = 1000;

  private final TuneRequest request;
  private final Shell shell;
  private final boolean json;
  private final boolean quiet;
  private final Screen screen;
  private boolean begun;

  /// @param command parsed
  /// @param operands SOURCE and TARGET as typed
  TuneRun(Command command, PositionalParamSpec operands, BenchReports reports, Shell shell)
      throws Failure {
    this.request = request(command, operands, shell);
    this.shell = shell;
    this.json = reports.isJson();
    this.quiet = reports.isQuiet();
    this.screen = shell.screen();
  }

  static TuneRequest request(Command command, PositionalParamSpec operands, Shell shell)
      throws Failure {
    for (Option option : command.allOptions()) {
      if (Options.isGiven(option) && !OF_USE.contains(option.longestName())) {
        throw Options.usage(option.longestName() + " is of no use to --tune");
      }
    }
    Options.atMost(2, Options.valuesOf(operands));
    List<RawPath> ends = Options.paths(operands);
    if (ends.size() < 2) {
      throw Options.usage(
          ends.isEmpty()
              ? "--tune: SOURCE and TARGET are missing"
              : "--tune: TARGET is missing after " + ends.getFirst());
    }
    RawPath profile = shell.profile();
    if (profile == null) {
      throw Options.usage("--tune: there is no place for a profile")
          .with("ZCP_PROFILE is empty, or there is neither XDG_CONFIG_HOME nor HOME");
    }
    List<Long> sizes = Options.sizes(command.named("--size"), false);
    if (sizes.size() > 1) {
      throw Options.usage("--size: --tune takes one");
    }
    return new TuneRequest(
        ends.getFirst(),
        ends.getLast(),
        PeerOptions.keyWithoutOption(shell),
        sizes.isEmpty() ? SIZE_BYTES : sizes.getFirst(),
        (int) Options.number(command.named("--runs"), TuneRequest.RUNS_MIN, RUNS_MAX, ""),
        BenchOptions.seed(command.named("--seed")),
        profile,
        Version.LINE);
  }

  ExitCode run(Strategies strategies) throws Failure {
    TuneResult result;
    try {
      result = Tuner.tune(request, strategies, this);
    } finally {
      screen.close();
    }
    if (json) {
      shell.out().writeBytes(TuneReport.json(result, request.profile()));
    }
    if (!json || !quiet) {
      PrintStream where = json ? shell.err() : shell.out();
      String text = String.join("\n", TuneReport.lines(result, request.profile())) + "\n";
      where.print(shell.isUnicode() ? text : text.replace('µ', 'u'));
    }
    if (result.unwritten() != null) {
      throw result.unwritten();
    }
    return ExitCode.OK;
  }

  @Override
  public void begins(String what, int ways, int runs) {
    if (!quiet && !begun) {
      long seed = request.seed();
      screen.line("zcp: seed " + seed + "; --seed=" + seed + " repeats the order");
    }
    begun = true;
    if (!quiet) {
      screen.line("zcp: " + what + ": " + ways + " ways to try, up to " + runs + " runs of each");
    }
  }

  /// `12/60 trials direct, 128 KiB`, drawn between trials and never while a clock runs.
  @Override
  public void running(String way, int done, int most) {
    if (shell.isTerminal() && !quiet) {
      screen.status(done + "/" + most + " trials  " + way);
    }
  }
}

package dev.zcp.cli;

import dev.zcp.bench.tune.TuneJson;
import dev.zcp.bench.tune.TuneListener;
import dev.zcp.bench.tune.TuneRequest;
import dev.zcp.bench.tune.TuneResult;
import dev.zcp.bench.tune.TuneText;
import dev.zcp.bench.tune.Tuner;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import dev.zcp.report.Progress;
import dev.zcp.report.Screen;
import java.io.PrintStream;
import picocli.CommandLine.Model.CommandSpec;

/// Runs a tuning and tells of it. As with the other benchmarks, the table is what goes to standard
/// output; where a program gets JSON there, it goes to standard error.
final class TuneRun implements TuneListener {

  private final Shell shell;
  private final boolean json;
  private final boolean quiet;
  private final Screen screen;
  private final boolean showsProgress;
  private final int columns;
  private long seed;
  private boolean begun;

  private TuneRun(Shell shell, boolean json, boolean quiet) {
    this.shell = shell;
    this.json = json;
    this.quiet = quiet;
    this.screen = new Screen(shell.err(), shell.isUnicode());
    this.showsProgress = shell.isTerminal() && !quiet;
    this.columns = Progress.columns(shell.variable("COLUMNS"));
  }

  /// @param spec the command's, parsed
  static TuneRun of(CommandSpec spec, Shell shell) {
    return new TuneRun(
        shell,
        Options.isSet(spec.findOption(TuneOptions.JSON)),
        Options.isSet(spec.findOption(TuneOptions.QUIET)));
  }

  ExitCode run(TuneRequest request, Strategies strategies) throws Failure {
    seed = request.seed();
    TuneResult result;
    try {
      result = Tuner.tune(request, strategies, this);
    } finally {
      screen.close();
    }
    if (json) {
      shell.out().print(TuneJson.line(result, request.profile()) + "\n");
    }
    if (!json || !quiet) {
      print(json ? shell.err() : shell.out(), result, request);
    }
    if (result.unwritten() != null) {
      throw result.unwritten();
    }
    return ExitCode.OK;
  }

  @Override
  public void begins(String what, int ways, int runs) {
    if (!begun) {
      begun = true;
      note("seed " + seed + "; --seed=" + seed + " repeats the order");
    }
    note(what + ": " + ways + " ways to try, up to " + runs + " runs of each");
  }

  /// `12/60 trials direct, 128 KiB`, drawn between trials and never while a clock runs.
  @Override
  public void running(String way, int done, int most) {
    if (showsProgress) {
      screen.status(done + "/" + most + " trials  " + way, columns);
    }
  }

  private void print(PrintStream where, TuneResult result, TuneRequest request) {
    StringBuilder text = new StringBuilder();
    for (String line : TuneText.lines(result, request.profile())) {
      text.append(line).append('\n');
    }
    where.print(shell.isUnicode() ? text : text.toString().replace('µ', 'u'));
  }

  private void note(String text) {
    if (!quiet) {
      screen.line("zcp: " + text);
    }
  }
}

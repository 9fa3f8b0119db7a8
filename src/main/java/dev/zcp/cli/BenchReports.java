package dev.zcp.cli;

import dev.zcp.bench.BenchJson;
import dev.zcp.bench.BenchPage;
import dev.zcp.bench.BenchRequest.BenchListener;
import dev.zcp.bench.BenchResult;
import dev.zcp.bench.BenchTable;
import dev.zcp.bench.CellResult;
import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.report.Screen;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/// Everyone who hears of a benchmark while it runs, and what is made of its findings.
final class BenchReports {

  private final BenchOutput output;
  private final Shell shell;
  private final Screen screen;
  private final BenchListener listener;

  /// Where the findings of a benchmark go. The table goes to standard output, since it is what
  /// people ask for; with `--json` it goes to standard error, for whoever watches.
  ///
  /// @param page where to write a page for a browser, or null
  /// @param verbose more columns; never together with `quiet`
  /// @param quiet no table but on standard output, no progress, no notes
  record BenchOutput(
      boolean json, RawPath page, boolean verbose, boolean quiet, ProgressWhen progress) {}

  /// The options of `zcp bench` that say where its findings go.
  static final class OutputOptions extends Options {

    private final OptionSpec json = option("--json");
    private final OptionSpec html = option("--html=FILE");
    private final OptionSpec progress =
        option("--progress[=WHEN]", ProgressWhen.ALWAYS_WORD, ProgressWhen.WORDS);
    private final OptionSpec quiet = option("-q, --quiet");
    private final OptionSpec verbose = option("-v, --verbose");

    BenchOutput output() throws Failure {
      boolean isQuiet = isSet(quiet);
      return new BenchOutput(
          isSet(json),
          pathOf(html),
          isSet(verbose) && !isQuiet,
          isQuiet,
          ProgressWhen.of(progress));
    }
  }

  /// Finds out if the page can be written before minutes are spent on the benchmark.
  ///
  /// @throws Failure DESTINATION if there is no place for the page
  BenchReports(BenchOutput output, long seed, Shell shell) throws Failure {
    this.output = output;
    this.shell = shell;
    if (output.page() != null) {
      checkPlaceOf(output.page());
    }
    screen = shell.screen();
    String note = "seed " + seed + "; --seed=" + seed + " repeats the order of the runs";
    boolean isDrawn = output.progress().isWanted(output.quiet(), shell);
    listener = new BenchProgress(screen, output.quiet() ? "" : note, isDrawn, System::nanoTime);
  }

  BenchListener listener() {
    return listener;
  }

  /// Writes what was found to where it was wanted.
  ///
  /// @return INTEGRITY if a cell failed, STRATEGY if none could be measured
  /// @throws Failure DESTINATION if something cannot be written
  ExitCode finish(BenchResult result) throws Failure {
    screen.close();
    if (output.json()) {
      try {
        BenchJson.write(result, shell.out());
      } catch (IOException e) {
        throw Reasons.destination("standard output", e);
      }
    }
    if (!output.json() || !output.quiet()) {
      PrintStream where = output.json() ? shell.err() : shell.out();
      where.print(BenchTable.of(result, output.verbose(), shell.isUnicode()));
    }
    shell.out().flush();
    if (output.page() != null) {
      BenchPage.write(result, output.page().toPath());
    }
    ExitCode code = result.exitCode();
    if (code == ExitCode.INTEGRITY) {
      complainOfFailures(result);
    } else if (code == ExitCode.STRATEGY) {
      shell.complain("zcp: nothing was measured: what was asked for cannot be done here");
    }
    return code;
  }

  private void complainOfFailures(BenchResult result) {
    List<String> cells = new ArrayList<>();
    for (BenchResult.Group group : result.groups()) {
      for (CellResult each : group.cells()) {
        if (each instanceof CellResult.Failed failed) {
          cells.add(group.title() + ": " + failed.cell().name() + ": " + failed.message());
        }
      }
    }
    String more = cells.size() == 1 ? "" : " (and " + (cells.size() - 1) + " more cells failed)";
    shell.complain("zcp: " + cells.getFirst() + more);
  }

  private static void checkPlaceOf(RawPath page) throws Failure {
    Path path = page.toPath().toAbsolutePath();
    boolean isSpecial =
        Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    if (!isSpecial && !Files.isWritable(path.getParent())) {
      throw Failure.of(
          ExitCode.DESTINATION, page.toString(), "there is no directory to write it to");
    }
  }
}

package dev.zcp.cli;

import dev.zcp.bench.BenchListener;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.report.BenchCsv;
import dev.zcp.bench.report.BenchJson;
import dev.zcp.bench.report.BenchPage;
import dev.zcp.bench.report.BenchTable;
import dev.zcp.bench.report.Comparison;
import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.CellResult;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.report.Progress;
import dev.zcp.report.Screen;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Everyone who hears of a benchmark while it runs, and what is made of its findings.
final class BenchReports {

  private final BenchOutput output;
  private final Shell shell;
  private final Screen screen;
  private final BenchListener listener;

  /// Null where there is nothing to compare with.
  private final BenchJson.Saved earlier;

  private BenchReports(BenchOutput output, long seed, Shell shell, BenchJson.Saved earlier) {
    this.output = output;
    this.shell = shell;
    this.earlier = earlier;
    this.screen = new Screen(shell.err(), shell.isUnicode());
    int columns = Progress.columns(shell.variable("COLUMNS"));
    BenchProgress progress =
        isProgressWanted() ? new BenchProgress(screen, columns, System::nanoTime) : null;
    this.listener = new BenchNotes(screen, seed, output.quiet(), progress);
  }

  /// What can be found to be wrong with files before minutes are spent is found now.
  ///
  /// @throws Failure SOURCE where the earlier findings cannot be read; DESTINATION where there is
  ///   no place for the page
  static BenchReports of(BenchOutput output, long seed, Shell shell) throws Failure {
    if (output.page() != null) {
      checkPlaceOf(output.page());
    }
    RawPath earlier = output.earlier();
    return new BenchReports(
        output, seed, shell, earlier == null ? null : BenchJson.read(earlier.toPath()));
  }

  BenchListener listener() {
    return listener;
  }

  /// Writes what was found to where it was wanted.
  ///
  /// @return INTEGRITY where a cell failed, STRATEGY where none could be measured
  /// @throws Failure DESTINATION where something cannot be written
  ExitCode finish(BenchResult result) throws Failure {
    screen.close();
    try {
      switch (output.form()) {
        case TABLE -> print(result, shell.out());
        case JSON -> writeJson(result);
        case CSV -> BenchCsv.write(result, shell.out());
      }
    } catch (IOException e) {
      throw Failure.of(ExitCode.DESTINATION, "standard output", String.valueOf(e.getMessage()))
          .because(e);
    }
    if (output.form() != BenchOutput.Form.TABLE && !output.quiet()) {
      print(result, shell.err());
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

  private void writeJson(BenchResult result) throws IOException {
    if (earlier == null) {
      BenchJson.write(result, shell.out());
    } else {
      BenchJson.write(result, Comparison.of(result, earlier), shell.out());
    }
  }

  private void print(BenchResult result, PrintStream where) {
    where.print(BenchTable.of(result, output.verbose(), shell.isUnicode()));
    if (earlier != null) {
      where.print("\n" + Comparison.of(result, earlier).text(shell.isUnicode()));
    }
  }

  private void complainOfFailures(BenchResult result) {
    List<String> cells = new ArrayList<>();
    for (BenchResult.Group group : result.groups()) {
      for (CellResult each : group.cells()) {
        if (each instanceof CellResult.Failed(Cell cell, String message)) {
          cells.add(group.title() + ": " + BenchProgress.nameOf(cell) + ": " + message);
        }
      }
    }
    String more = cells.size() == 1 ? "" : " (and " + (cells.size() - 1) + " more cells failed)";
    shell.complain("zcp: " + cells.getFirst() + more);
  }

  private boolean isProgressWanted() {
    return switch (output.progress()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> !output.quiet() && shell.isTerminal();
    };
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

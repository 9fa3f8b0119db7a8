package dev.zcp.cli;

import dev.zcp.bench.BenchJson;
import dev.zcp.bench.BenchPage;
import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.BenchRequest.BenchListener;
import dev.zcp.bench.BenchResult;
import dev.zcp.bench.BenchTable;
import dev.zcp.bench.Cell;
import dev.zcp.bench.CellResult;
import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.core.Elapsed;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.report.Screen;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// The options of `zcp bench` that say where its findings go, and what is made of these. The table
/// goes to standard output, since it is what people ask for; with `--json` it goes to standard
/// error, for whoever watches.
final class BenchReports extends Options {

  private final Option json = option("--json");
  private final Option html = option("--html=FILE");
  private final Option progress =
      option("--progress[=WHEN]", ProgressWhen.ALWAYS_WORD, Words.of(ProgressWhen.values()));
  private final Option quiet = option("-q, --quiet");
  private final Option verbose = option("-v, --verbose");

  private Shell shell;
  private Screen screen;

  /// Where to write a page for a browser, or null.
  RawPath page() throws Failure {
    return pathOf(html);
  }

  boolean isJson() {
    return isSet(json);
  }

  boolean isQuiet() {
    return isSet(quiet);
  }

  ProgressWhen progress() throws Failure {
    return ProgressWhen.of(progress);
  }

  /// Finds out if the page can be written before minutes are spent on the benchmark.
  ///
  /// @return who tells how it gets on
  /// @throws Failure DESTINATION if there is no place for the page
  BenchListener begin(BenchRequest request, Shell shell) throws Failure {
    if (page() != null) {
      checkPlaceOf(page());
    }
    this.shell = shell;
    screen = shell.screen();
    long timeNs = request.timeNs();
    boolean isLimited = timeNs != BenchRequest.UNLIMITED;
    String limit = isLimited ? "takes at most " + new Elapsed(timeNs) + " (--time); " : "";
    String note = limit + "--seed=" + request.seed() + " repeats the order of the runs";
    boolean isDrawn = progress().isWanted(isQuiet(), shell);
    return new BenchProgress(screen, isQuiet() ? "" : note, isDrawn, timeNs, System::nanoTime);
  }

  /// Writes what was found to where it was wanted.
  ///
  /// @return INTEGRITY if a cell failed, STRATEGY if none could be measured
  /// @throws Failure DESTINATION if something cannot be written
  ExitCode finish(BenchResult result) throws Failure {
    screen.close();
    if (isJson()) {
      try {
        BenchJson.write(result, shell.out());
      } catch (IOException e) {
        throw Reasons.destination("standard output", e);
      }
    }
    if (!isJson() || !isQuiet()) {
      PrintStream where = isJson() ? shell.err() : shell.out();
      where.print(BenchTable.of(result, isSet(verbose) && !isQuiet(), shell.isUnicode()));
    }
    shell.out().flush();
    if (page() != null) {
      BenchPage.write(result, page().toPath());
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

  /// Tells a person at standard error how a benchmark gets on, and shows in the screen's status
  /// line how far it is.
  ///
  /// It draws between runs, on the thread that makes them, and never while a clock runs: a thread
  /// of its own would take a processor from what is measured.
  static final class BenchProgress implements BenchListener {

    /// A run may take less than a millisecond; nobody reads that fast.
    private static final long DRAW_NS_MIN = 100_000_000;

    private static final long NS_PER_SECOND = 1_000_000_000;

    private final Screen screen;
    private final String note;
    private final boolean isDrawn;
    private final long limitNs;
    private final LongSupplier clockNs;
    private long startedNs;
    private long drawnNs;
    private int runs;

    /// @param note told before the first run, or empty
    /// @param isDrawn whether to show how far it is
    /// @param limitNs when it ends, however many runs there were
    /// @param clockNs `System::nanoTime`
    BenchProgress(Screen screen, String note, boolean isDrawn, long limitNs, LongSupplier clockNs) {
      this.screen = screen;
      this.note = note;
      this.isDrawn = isDrawn;
      this.limitNs = limitNs;
      this.clockNs = clockNs;
    }

    /// The seed is told early: who gives up half-way may want the same order again.
    @Override
    public void planned(int planned) {
      if (!note.isEmpty()) {
        screen.line("zcp: " + note);
      }
      runs = planned;
      startedNs = clockNs.getAsLong();
      drawnNs = startedNs - DRAW_NS_MIN;
    }

    @Override
    public void running(Cell cell, int runsDone) {
      long nowNs = clockNs.getAsLong();
      if (isDrawn && nowNs - drawnNs >= DRAW_NS_MIN) {
        drawnNs = nowNs;
        screen.status(text(cell, runsDone, nowNs - startedNs));
      }
    }

    /// ` 34% 41/120 runs 0:48 left copy direct 64.0 KiB`
    private String text(Cell cell, int runsDone, long elapsedNs) {
      StringBuilder line = new StringBuilder();
      if (runs > 0) {
        // Warm-up is not counted, and more runs than were guessed are no more than all.
        int done = Math.min(runsDone, runs);
        double part = Math.max((double) done / runs, Math.min(1, (double) elapsedNs / limitNs));
        String percent = (int) (100 * part) + "%";
        line.repeat(' ', 4 - percent.length()).append(percent);
        line.append("  ").append(done).append('/').append(runs).append(" runs  ");
        line.append(left(done, elapsedNs)).append(" left  ");
      }
      return line.append(cell.experiment().word()).append(' ').append(cell.name()).toString();
    }

    /// Runs take turns in random order, so those to come take as long as those that were.
    private String left(int done, long elapsedNs) {
      if (done == 0) {
        return "-:--";
      }
      double runsNs = (double) elapsedNs / done * (runs - done);
      double leftNs = Math.min(runsNs, Math.max(0, limitNs - elapsedNs));
      long seconds = (long) Math.ceil(leftNs / NS_PER_SECOND);
      long rest = seconds % 60;
      return seconds / 60 + ":" + (rest < 10 ? "0" : "") + rest;
    }
  }
}

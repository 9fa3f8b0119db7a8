package dev.zcp.bench;

import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import dev.zcp.report.Table;
import java.util.ArrayList;
import java.util.List;

/// A benchmark for a terminal: who won in each group and by how much, what makes the figures less
/// sure, and at last the answer in a sentence. For an article and with `--verbose` also what it
/// cost, and what the model of each strategy says beside what was counted.
public final class BenchTable {

  /// What ordinary names and figures fit in.
  static final int COLUMNS = 80;

  private final BenchResult result;
  private final boolean verbose;
  private final boolean isDetailed;
  private final boolean unicode;
  private final List<String> lines = new ArrayList<>();

  private BenchTable(BenchResult result, boolean verbose, boolean unicode) {
    this.result = result;
    this.verbose = verbose;
    this.isDetailed = verbose || result.groups().stream().anyMatch(BenchTable::isOfArticle);
    this.unicode = unicode;
  }

  private static boolean isOfArticle(BenchResult.Group group) {
    return !new GroupTables(group, true).claims().isEmpty();
  }

  /// Lines, each with its end.
  ///
  /// @param verbose whether the counts and the latencies of each cell are told, too
  /// @param unicode whether the screen shows more than ASCII; names may hold more in any case
  public static String of(BenchResult result, boolean verbose, boolean unicode) {
    BenchTable table = new BenchTable(result, verbose, unicode);
    table.writeAll();
    return String.join("\n", table.lines) + "\n";
  }

  private void writeAll() {
    result.groups().forEach(this::write);
    List<CellResult.Measurement> measured = result.measured();
    if (!measured.isEmpty() && isDetailed) {
      writeMarks(measured);
      wrapped(
          "The model beside the measured"
              + (verbose ? "" : ", for the best cell of each strategy"));
      List<CellResult.Measurement> cells = verbose ? measured : GroupTables.best(measured);
      lines.addAll(GroupTables.model(cells, unicode, false).lines(COLUMNS));
      wrapped(GroupTables.MODEL);
      lines.add("");
      wrapped(GroupTables.systemCalls(measured));
    } else if (!measured.isEmpty()) {
      String runs = Prose.count(result.runsMax(), "run");
      wrapped(
          "time: the median of at most "
              + runs
              + ". CPU: what the thread used that moves the bytes. a call: how much one moves; own:"
              + " as the strategy chooses. -v shows more.");
      writeChance(measured);
    }
    String run = Printable.of(result.zcpVersion()) + ", seed " + result.seed();
    wrapped("zcp " + run + ", " + result.started() + "; " + result.machine().sentence());
    for (String warning : result.warnings()) {
      wrapped("warning: " + Printable.ofPhrase(warning));
    }
    for (BenchResult.Group group : isDetailed ? List.<BenchResult.Group>of() : result.groups()) {
      String answer = new GroupTables(group, unicode).answer();
      if (!answer.isEmpty()) {
        wrapped(answer);
      }
    }
  }

  private void write(BenchResult.Group group) {
    GroupTables tables = new GroupTables(group, unicode);
    String units = isDetailed && !tables.units().isEmpty() ? " (" + tables.units() + ")" : "";
    wrapped(Printable.ofPhrase(group.title()) + units);
    if (!group.note().isEmpty()) {
      wrapped(Printable.ofPhrase(group.note()));
    }
    Table main = isDetailed ? tables.main() : tables.brief();
    lines.addAll(main.isEmpty() ? List.of() : main.lines(COLUMNS));
    tables.notes(result.runsMax()).forEach(this::wrapped);
    write(tables.claims());
    if (isDetailed) {
      write(tables.costs());
      if (write(tables.forces())) {
        wrapped(GroupTables.ONE_THREAD);
      }
    }
    if (verbose) {
      write(tables.uses());
      write(tables.calls());
      if (tables.hasSmallCalls()) {
        wrapped(GroupTables.SMALL_CALLS);
      }
    }
    lines.add("");
  }

  private boolean write(Table table) {
    if (!table.isEmpty()) {
      lines.add("");
      lines.addAll(table.lines(COLUMNS));
    }
    return !table.isEmpty();
  }

  private void writeMarks(List<CellResult.Measurement> measured) {
    boolean compared = result.groups().stream().anyMatch(group -> group.measured().size() > 1);
    if (compared) {
      wrapped(
          GroupTables.Standing.FASTEST.mark(unicode).sign()
              + " fastest; "
              + GroupTables.Standing.WITHIN_NOISE.mark(unicode).sign()
              + " within the noise of it: the middle halves of their runs overlap");
      writeChance(measured);
    }
    wrapped(
        GroupTables.spreadHeader(unicode)
            + " how far apart the middle half of a cell's runs lies; at most "
            + Prose.count(result.runsMax(), "run")
            + " of each");
    lines.add("");
  }

  private void writeChance(List<CellResult.Measurement> measured) {
    if (measured.stream().anyMatch(cell -> cell.samples().size() < GroupTables.RUNS_MIN)) {
      String few = Prose.count(GroupTables.RUNS_MIN, "run");
      wrapped("With fewer than " + few + " of a cell, what looks faster may be chance.");
    }
  }

  private void wrapped(String text) {
    lines.addAll(Prose.wrap(text, COLUMNS));
  }
}

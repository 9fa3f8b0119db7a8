package dev.zcp.bench.report;

import dev.zcp.bench.plan.Claim;
import dev.zcp.bench.result.BenchResult;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A benchmark for a terminal: who won in each group, by how much, and what it cost; then what the
/// model of each strategy says beside what was counted; then what makes the figures less sure.
public final class BenchTable {

  /// What ordinary names and figures fit in.
  static final int COLUMNS = 100;

  private static final String HAS_FAILED = "!";

  private final Sheet sheet;
  private final boolean verbose;
  private final boolean unicode;
  private final List<String> lines = new ArrayList<>();

  private BenchTable(Sheet sheet, boolean verbose, boolean unicode) {
    this.sheet = sheet;
    this.verbose = verbose;
    this.unicode = unicode;
  }

  /// Lines, each with its end.
  ///
  /// @param verbose whether the counts and the latencies of each cell are told, too
  /// @param unicode whether the screen shows more than ASCII; names may hold more in any case
  public static String of(BenchResult result, boolean verbose, boolean unicode) {
    return of(Sheet.of(result), verbose, unicode);
  }

  static String of(Sheet sheet, boolean verbose, boolean unicode) {
    BenchTable table = new BenchTable(sheet, verbose, unicode);
    table.writeAll();
    return String.join("\n", table.lines) + "\n";
  }

  private void writeAll() {
    for (Sheet.Group group : sheet.groups()) {
      write(group);
    }
    if (!sheet.measured().isEmpty()) {
      writeMarks();
      wrapped(
          "The model beside the measured"
              + (verbose ? "" : ", for the best cell of each strategy"));
      lines.addAll(ModelTable.of(sheet, verbose, unicode).lines(COLUMNS));
      wrapped(Words.MODEL);
      lines.add("");
      wrapped(Words.systemCalls(sheet));
    }
    wrapped(Words.run(sheet));
    for (String warning : sheet.warnings()) {
      wrapped("warning: " + Printable.ofPhrase(warning));
    }
  }

  /// A line for each reason, with all whom it keeps out.
  private void refusals(List<Row.Refused> rows, List<Trait> traits) {
    Map<String, List<String>> namesByReason = new LinkedHashMap<>();
    for (Row.Refused row : rows) {
      namesByReason
          .computeIfAbsent(Printable.ofPhrase(row.reason()), reason -> new ArrayList<>())
          .add(String.join(" ", Trait.tellApart(row.cell(), traits)));
    }
    namesByReason.forEach(
        (reason, names) -> wrapped("not here: " + String.join(", ", names) + ": " + reason));
  }

  private void write(Sheet.Group group) {
    List<Row.Measured> measured = group.measured();
    Scale times = Scale.ofTimes(measured);
    Scale rates = Scale.ofRates(measured);
    String units =
        measured.isEmpty() ? "" : " (" + times.unit(unicode) + "; " + rates.unit(unicode) + ")";
    wrapped(Printable.ofPhrase(group.title()) + units);
    if (!group.note().isEmpty()) {
      wrapped(Printable.ofPhrase(group.note()));
    }
    List<Trait> traits = Trait.thatDiffer(group);
    TextTable main = main(group, traits, times, rates);
    if (!main.isEmpty()) {
      lines.addAll(main.lines(COLUMNS));
    }
    Footnotes.of(measured, traits, sheet.runsMax()).forEach(this::wrapped);
    refusals(group.refused(), traits);
    TextTable claims = claims(measured, traits, times);
    if (!claims.isEmpty()) {
      lines.add("");
      lines.addAll(claims.lines(COLUMNS));
    }
    TextTable forces = CountTable.forces(measured, traits, unicode);
    if (!forces.isEmpty()) {
      lines.add("");
      lines.addAll(forces.lines(COLUMNS));
      wrapped(Words.ONE_THREAD);
    }
    if (verbose && !measured.isEmpty()) {
      lines.add("");
      lines.addAll(CountTable.uses(measured, traits, times).lines(COLUMNS));
      lines.add("");
      lines.addAll(CountTable.calls(measured, traits, unicode).lines(COLUMNS));
      if (CountTable.hasSmallCalls(measured)) {
        wrapped(Words.SMALL_CALLS);
      }
    }
    lines.add("");
  }

  private TextTable main(Sheet.Group group, List<Trait> traits, Scale times, Scale rates) {
    Ranking ranking = Ranking.of(group);
    TextTable table = new TextTable().left("", "strategy").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.right("first", "median", "min", "max", spreadHeader(), "ratio", "rate");
    table.right("user", "sys");
    table.right(Words.callsHeader(group.measured()), "ctx");
    for (Row each : group.rows()) {
      List<String> cells = new ArrayList<>(Trait.tellApart(each.cell(), traits));
      switch (each) {
        case Row.Measured row -> {
          cells.addFirst(mark(ranking.of(row)));
          cells.add(times.text(row.firstNs()));
          cells.add(times.text(row.elapsed().median()));
          cells.add(times.text(row.elapsed().min()));
          cells.add(times.text(row.elapsed().max()));
          cells.add(Long.toString(Math.round(100 * row.elapsed().spread())));
          cells.add(Scale.threeFigures(ranking.ratio(row)));
          cells.add(rates.text(row.bytesPerSecond()));
          cells.add(times.text(row.use().userNs()));
          cells.add(times.text(row.use().systemNs()));
          cells.add(Scale.count(row.use().systemCalls()));
          cells.add(Scale.count(row.use().contextSwitches()));
          table.row(cells);
        }
        case Row.Failed row -> {
          cells.addFirst(HAS_FAILED);
          table.row(cells, "FAILED: " + Printable.ofPhrase(row.message()));
        }
        // Listed below, where there is room for the reason.
        case Row.Refused row -> {}
      }
    }
    return table;
  }

  /// What an article measured beside the same of ours: the first run apart, and means.
  private static TextTable claims(List<Row.Measured> measured, List<Trait> traits, Scale times) {
    TextTable table = new TextTable().left("article", "strategy").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    boolean processor = measured.stream().anyMatch(row -> row.cell().claim().tellsProcessorTime());
    table.right("first", "mean");
    if (processor) {
      table.right("user", "sys");
    }
    table.left("the article's figures");
    for (Row.Measured row : measured) {
      Claim claim = row.cell().claim();
      if (!claim.row().isEmpty()) {
        List<String> cells = new ArrayList<>(Trait.tellApart(row.cell(), traits));
        cells.addFirst(Printable.of(claim.row()));
        cells.add(times.text(row.firstNs()));
        cells.add(times.text(row.elapsed().mean()));
        if (processor) {
          cells.add(times.text(row.use().userNs()));
          cells.add(times.text(row.use().systemNs()));
        }
        cells.add(claim.figures().isEmpty() ? "-" : Printable.of(claim.figures()));
        table.row(cells);
      }
    }
    return table;
  }

  private String spreadHeader() {
    return unicode ? "±%" : "+-%";
  }

  private String mark(Ranking.Standing standing) {
    return switch (standing) {
      case FASTEST -> "*";
      case WITHIN_NOISE -> unicode ? "≈" : "~";
      case SLOWER, ALONE -> "";
    };
  }

  private void writeMarks() {
    boolean compared = sheet.groups().stream().anyMatch(group -> group.measured().size() > 1);
    if (compared) {
      wrapped(
          mark(Ranking.Standing.FASTEST)
              + " fastest; "
              + mark(Ranking.Standing.WITHIN_NOISE)
              + " within the noise of it: the middle halves of their runs overlap");
      if (Ranking.hasFewRuns(sheet.measured())) {
        wrapped(
            "With fewer than "
                + Prose.count(Ranking.RUNS_MIN, "run")
                + " of a cell, what looks faster may be chance.");
      }
    }
    wrapped(
        spreadHeader()
            + " how far apart the middle half of a cell's runs lies; at most "
            + Prose.count(sheet.runsMax(), "run")
            + " of each");
    lines.add("");
  }

  private void wrapped(String text) {
    lines.addAll(Prose.wrap(text, COLUMNS));
  }
}

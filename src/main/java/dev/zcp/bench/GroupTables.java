package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Printable;
import dev.zcp.report.Scale;
import dev.zcp.report.Table;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// The tables and the notes of one group of cells, the same for every form of the report.
final class GroupTables {

  /// What the figures of the model are.
  static final String MODEL =
      "Theory: what one call costs when a file goes to a socket; copies with user memory + inside"
          + " the kernel. Measured: system calls, switches of mode, bytes copied with user memory"
          + " for each byte of the file; ctx are switches to another thread.";

  /// Under the times of single forces.
  static final String ONE_THREAD =
      "user, sys, calls and ctx are of the thread that writes, not of one that forces beside it.";

  /// Under the times of single calls.
  static final String SMALL_CALLS =
      "Of calls below "
          + new ByteSize(CellResult.SMALL_CALL_BYTES)
          + " the time of one in "
          + CellResult.SMALL_CALLS_BOOKED_EVERY
          + " was booked: booking takes as long as they do.";

  private static final Table.Mark FAILED = new Table.Mark("!", "failed", "failed");

  private final BenchResult.Group group;
  private final boolean unicode;
  private final List<CellResult.Measurement> measured;
  private final List<Trait> traits;
  private final Ranking ranking;
  private final Scale times;
  private final Scale rates;

  /// A figure of each cell.
  ///
  /// @param band what it has in common with its neighbours, or empty
  private record Column(
      String band, String header, Function<CellResult.Measurement, String> figure) {

    Column(String header, Function<CellResult.Measurement, String> figure) {
      this("", header, figure);
    }
  }

  /// @param unicode whether more than ASCII is shown; names may hold more in any case
  GroupTables(BenchResult.Group group, boolean unicode) {
    this.group = group;
    this.unicode = unicode;
    this.measured = group.measured();
    this.traits = Trait.thatDiffer(group);
    this.ranking = new Ranking(group);
    DoubleSummaryStatistics ns = new DoubleSummaryStatistics();
    DoubleSummaryStatistics speeds = new DoubleSummaryStatistics();
    for (CellResult.Measurement cell : measured) {
      ns.accept(cell.elapsed().min());
      ns.accept(Math.max(cell.first().elapsedNs(), cell.elapsed().max()));
      speeds.accept(cell.bytesPerSecond());
    }
    this.times = Scale.ofTimes(ns.getMin(), ns.getMax());
    this.rates = Scale.ofRates(speeds.getMin(), speeds.getMax());
  }

  Ranking ranking() {
    return ranking;
  }

  /// `ms; GiB/s`, of the main table; empty if nothing was measured.
  String units() {
    return measured.isEmpty() ? "" : times.unit(unicode) + "; " + rates.unit(unicode);
  }

  /// Who won, by how much, and what it cost. Cells that were refused are among the [#notes], where
  /// there is room for the reason.
  Table main() {
    List<Column> columns =
        List.of(
            new Column("first", cell -> times.text(cell.first().elapsedNs())),
            new Column("median", cell -> times.text(cell.elapsed().median())),
            new Column("min", cell -> times.text(cell.elapsed().min())),
            new Column("max", cell -> times.text(cell.elapsed().max())),
            new Column(
                spreadHeader(unicode), cell -> "" + Math.round(100 * cell.elapsed().spread())),
            new Column("ratio", cell -> Scale.threeFigures(ranking.ratio(cell))),
            new Column("rate", cell -> rates.text(cell.bytesPerSecond())),
            new Column("user", cell -> times.text(cell.mean(Usage::userNs))),
            new Column("sys", cell -> times.text(cell.mean(Usage::systemNs))),
            new Column(callsHeader(measured), cell -> Scale.count(cell.systemCalls())),
            count("", "ctx", Usage::contextSwitches));
    Table table = table(columns, "strategy").signs();
    for (CellResult each : group.cells()) {
      List<String> cells = Trait.tellApart(each.cell(), traits);
      switch (each) {
        case CellResult.Measurement cell -> {
          columns.forEach(column -> cells.add(column.figure().apply(cell)));
          table.row(ranking.of(cell).mark(unicode), cells);
        }
        case CellResult.Failed cell ->
            table.row(FAILED, cells, "FAILED: " + Printable.ofPhrase(cell.message()));
        case CellResult.Refused _ -> {}
      }
    }
    return table;
  }

  /// What an article measured beside the same of ours: the first run apart, and means.
  Table claims() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("first", cell -> times.text(cell.first().elapsedNs())));
    columns.add(new Column("mean", cell -> times.text(cell.elapsed().mean())));
    if (measured.stream().anyMatch(cell -> cell.cell().claim().tellsProcessorTime())) {
      columns.add(new Column("user", cell -> times.text(cell.mean(Usage::userNs))));
      columns.add(new Column("sys", cell -> times.text(cell.mean(Usage::systemNs))));
    }
    Table table = table(columns, "article", "strategy").left("the article's figures");
    for (CellResult.Measurement cell : measured) {
      Cell.Claim claim = cell.cell().claim();
      if (!claim.row().isEmpty()) {
        List<String> cells = Trait.tellApart(cell.cell(), traits);
        cells.addFirst(Printable.of(claim.row()));
        columns.forEach(column -> cells.add(column.figure().apply(cell)));
        cells.add(claim.figures().isEmpty() ? "-" : Printable.of(claim.figures()));
        table.row(cells);
      }
    }
    return table;
  }

  /// How often one run forced what it wrote, and how long single forces took; empty if none did.
  Table forces() {
    List<CellResult.Measurement> cells =
        measured.stream().filter(cell -> cell.forceLatencies() != null).toList();
    return filled(
        cells,
        "one force",
        new Column("a run", cell -> Scale.count(cell.forces())),
        new Column("p50", cell -> time(cell.forceLatencies().percentileNs(50))),
        new Column("max", cell -> time(cell.forceLatencies().maxNs())));
  }

  /// How the runs were made, and what one of them used.
  Table uses() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("runs", cell -> "" + cell.samples().size()));
    columns.add(new Column("warm", cell -> "" + cell.warmUpRuns()));
    columns.add(new Column("cached", cell -> Scale.percent(cell.cachedBefore())));
    columns.add(new Column("mean", cell -> times.text(cell.elapsed().mean())));
    columns.add(new Column("spread", cell -> Scale.percent(cell.elapsed().spread())));
    columns.add(count("switches", "waited", Usage::voluntarySwitches));
    columns.add(count("switches", "evicted", Usage::involuntarySwitches));
    columns.add(count("faults", "minor", Usage::minorFaults));
    columns.add(count("faults", "major", Usage::majorFaults));
    if (measured.stream().anyMatch(cell -> cell.socketBufferBytes() > 0)) {
      columns.add(new Column("buffer", GroupTables::buffer));
    }
    return filled(measured, "one run", columns.toArray(Column[]::new));
  }

  /// How long single calls took.
  Table calls() {
    return filled(
        measured,
        "one call",
        new Column("a run", cell -> Scale.count(cell.callsPerRun())),
        percentile("p50", 50),
        percentile("p90", 90),
        percentile("p99", 99),
        percentile("p99.9", 99.9),
        new Column("max", cell -> time(cell.latencies().maxNs())));
  }

  /// Whether not all calls were timed.
  boolean hasSmallCalls() {
    return measured.stream()
        .filter(cell -> cell.callsPerRun() > 1)
        .anyMatch(
            cell -> cell.cell().fileBytes() / cell.callsPerRun() < CellResult.SMALL_CALL_BYTES);
  }

  /// What must be known of some cells, or of all, and has no column: a line for each reason, with
  /// all whom it keeps out, after lines on runs and socket buffers.
  ///
  /// @param runsMax how many runs that cell of the benchmark has which has most
  List<String> notes(int runsMax) {
    List<String> notes = new ArrayList<>();
    Function<CellResult.Measurement, String> runs = cell -> Integer.toString(cell.samples().size());
    List<CellResult.Measurement> cut =
        measured.stream().filter(cell -> cell.samples().size() < runsMax).toList();
    boolean alike = measured.stream().map(runs).distinct().count() == 1;
    if (alike && !cut.isEmpty()) {
      String count = runs.apply(cut.getFirst());
      notes.add("runs: " + count + " of each cell, for " + runsMax + " elsewhere");
    } else if (!cut.isEmpty()) {
      notes.add("fewer runs than the " + runsMax + " of others: " + listed(cut, runs));
    }
    List<CellResult.Measurement> sockets =
        measured.stream().filter(cell -> cell.socketBufferBytes() > 0).toList();
    if (sockets.stream().map(CellResult.Measurement::socketBufferBytes).distinct().count() == 1) {
      notes.add("socket buffer: " + buffer(sockets.getFirst()));
    } else if (!sockets.isEmpty()) {
      notes.add("socket buffer: " + listed(sockets, GroupTables::buffer));
    }
    Map<String, List<String>> refused = new LinkedHashMap<>();
    group
        .all(CellResult.Refused.class)
        .forEach(
            cell ->
                refused
                    .computeIfAbsent(Printable.ofPhrase(cell.reason()), _ -> new ArrayList<>())
                    .add(name(cell)));
    refused.forEach(
        (reason, names) -> notes.add("not here: " + String.join(", ", names) + ": " + reason));
    return notes;
  }

  /// `direct 512K cold`
  String name(CellResult cell) {
    return String.join(" ", Trait.tellApart(cell.cell(), traits));
  }

  /// What each strategy costs by theory, beside what was counted.
  ///
  /// @param cells one line for each
  /// @param isPage whether what a cell does has a column, which a text has before its first
  static Table model(List<CellResult.Measurement> cells, boolean unicode, boolean isPage) {
    List<Trait> traits = new ArrayList<>(isPage ? List.of(Trait.EXPERIMENT) : List.of());
    traits.addAll(Trait.thatTellApart(cells.stream().map(CellResult.Measurement::cell).toList()));
    Table table = new Table().signs().left("strategy").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.band("theory, a call").right("switches", "copies");
    table.band("measured, a MiB").right(callsHeader(cells), "switches", "copied", "ctx", "faults");
    for (CellResult.Measurement cell : cells) {
      List<String> line = Trait.tellApart(cell.cell(), traits);
      line.add(Integer.toString(cell.model().modeSwitches()));
      line.add(cell.model().userKernelCopies() + "+" + cell.model().kernelKernelCopies());
      line.add(Scale.average(cell.perMib(cell.systemCalls())));
      line.add(Scale.average(cell.modeSwitchesPerMib()));
      double copied = cell.userCopies();
      line.add(Double.isNaN(copied) ? "-" : Scale.threeFigures(copied) + (unicode ? "×" : "x"));
      line.add(Scale.average(cell.perMib(cell.median(Usage::contextSwitches))));
      line.add(Scale.average(cell.perMib(cell.pageFaults())));
      table.row(new Table.Mark(cell.cell().experiment().word(), "other", ""), line);
    }
    return table;
  }

  /// The fastest cell of each strategy in each experiment.
  static List<CellResult.Measurement> best(List<CellResult.Measurement> cells) {
    Map<List<String>, CellResult.Measurement> best = new LinkedHashMap<>();
    for (CellResult.Measurement cell : cells) {
      List<String> strategy = List.of(cell.cell().experiment().word(), cell.cell().contender());
      best.merge(strategy, cell, (old, other) -> nsPerByte(other) < nsPerByte(old) ? other : old);
    }
    return List.copyOf(best.values());
  }

  /// `System calls: all, by tracepoint.`
  static String systemCalls(List<CellResult.Measurement> cells) {
    List<String> ways =
        cells.stream().map(cell -> cell.callCount().kind().phrase()).distinct().toList();
    return "System calls: " + String.join("; for some cells ", ways) + ".";
  }

  static String spreadHeader(boolean unicode) {
    return unicode ? "±%" : "+-%";
  }

  /// Another one if only reads and writes were counted.
  private static String callsHeader(List<CellResult.Measurement> cells) {
    boolean some =
        cells.stream().anyMatch(cell -> cell.callCount().kind() == CallCount.Kind.READS_AND_WRITES);
    return some ? "r/w" : "calls";
  }

  private Table filled(List<CellResult.Measurement> rows, String first, Column... columns) {
    Table table = table(List.of(columns), first);
    for (CellResult.Measurement cell : rows) {
      List<String> cells = Trait.tellApart(cell.cell(), traits);
      Stream.of(columns).forEach(column -> cells.add(column.figure().apply(cell)));
      table.row(cells);
    }
    return table;
  }

  private Table table(List<Column> columns, String... first) {
    Table table = new Table().left(first).right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    columns.forEach(column -> table.band(column.band()).right(column.header()));
    return table.band("");
  }

  private static Column count(String band, String header, ToLongFunction<Usage> figure) {
    return new Column(band, header, cell -> Scale.count(cell.median(figure)));
  }

  private Column percentile(String header, double percent) {
    return new Column(header, cell -> time(cell.latencies().percentileNs(percent)));
  }

  private static String buffer(CellResult.Measurement cell) {
    return new ByteSize(cell.socketBufferBytes()).toString();
  }

  /// `3 of stream whole, heap 4K; 1 of mmap 4K`
  private String listed(
      List<CellResult.Measurement> cells, Function<CellResult.Measurement, String> figure) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (CellResult.Measurement cell : cells) {
      names.computeIfAbsent(figure.apply(cell), _ -> new ArrayList<>()).add(name(cell));
    }
    List<String> parts = new ArrayList<>();
    names.forEach((text, all) -> parts.add(text + " of " + String.join(", ", all)));
    return String.join("; ", parts);
  }

  private String time(long elapsedNs) {
    String text = new Elapsed(elapsedNs).toString();
    return unicode ? text : text.replace('µ', 'u');
  }

  private static double nsPerByte(CellResult.Measurement cell) {
    return cell.elapsed().median() / Math.max(1, cell.cell().fileBytes());
  }
}

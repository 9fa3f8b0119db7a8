package dev.zcp.bench;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import dev.zcp.core.Scale;
import dev.zcp.core.Words;
import dev.zcp.engine.Choice;
import dev.zcp.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The tables and the notes of one group of cells, the same for every form of the report.
final class GroupTables {

  /// What the figures of the model are.
  static final String MODEL =
      "Theory: what one call costs when a file goes to a socket; copies with user memory + inside"
          + " the kernel. Measured: system calls, switches of mode, bytes copied with user memory"
          + " for each byte of the file.";

  static final String ONE_THREAD =
      "What one run used is of the thread that writes, not of one that forces beside it.";

  static final String SMALL_CALLS =
      "Of calls below "
          + new ByteSize(CellResult.SMALL_CALL_BYTES)
          + " the time of one in "
          + CellResult.SMALL_CALLS_BOOKED_EVERY
          + " was booked: booking takes as long as they do.";

  /// As most programs copy, and so what others are compared with.
  private static final String USUAL = "heap";

  /// How many of the fastest a sentence names.
  private static final int NAMES_MAX = 3;

  private static final Table.Mark FAILED = new Table.Mark("!", "failed", "failed");

  private final BenchResult.Group group;
  private final boolean unicode;
  private final List<CellResult.Measurement> measured;
  private final List<Trait> traits;

  /// Null if nothing was measured.
  private final CellResult.Measurement winner;

  private final Scale times;
  private final Scale rates;

  /// With fewer runs the middle half of them is next to nothing, and so is what it says of chance.
  static final int RUNS_MIN = 4;

  enum Standing {
    FASTEST,
    /// The difference to the fastest may be chance.
    WITHIN_NOISE,
    SLOWER,
    /// There was nothing to compare it with.
    ALONE;

    Table.Mark mark(boolean unicode) {
      return switch (this) {
        case FASTEST -> new Table.Mark("*", "fastest", "fastest");
        case WITHIN_NOISE -> new Table.Mark(unicode ? "≈" : "~", "near", "≈ as fast");
        case SLOWER, ALONE -> Table.Mark.NONE;
      };
    }
  }

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
    this.winner =
        measured.stream()
            .min(Comparator.comparingDouble(cell -> cell.elapsed().median()))
            .orElse(null);
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

  /// Null if nothing was measured.
  CellResult.Measurement winner() {
    return winner;
  }

  Standing standing(CellResult.Measurement cell) {
    if (measured.size() < 2) {
      return Standing.ALONE;
    }
    // The very cell, not an equal one: a plan may hold a cell twice.
    if (cell == winner) {
      return Standing.FASTEST;
    }
    boolean isNear = cell.elapsed().isWithinNoiseOf(winner.elapsed());
    return isNear ? Standing.WITHIN_NOISE : Standing.SLOWER;
  }

  /// The median in parts of the winner's, at least 1, with three figures; NaN if that took no time.
  String ratio(CellResult.Measurement cell) {
    double best = winner.elapsed().median();
    return Scale.threeFigures(best <= 0 ? Double.NaN : cell.elapsed().median() / best);
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
            new Column("ratio", cell -> ratio(cell)),
            new Column("rate", cell -> rates.text(cell.bytesPerSecond())));
    return ofAll(columns, table(columns, "chunk", "strategy").signs());
  }

  /// Who won, and by how much, in words: for somebody who just wants to know.
  Table brief() {
    String timeUnit = " " + times.unit(unicode);
    List<Column> columns =
        List.of(
            new Column("time" + timeUnit, cell -> times.text(cell.elapsed().median())),
            new Column("rate " + rates.unit(unicode), cell -> rates.text(cell.bytesPerSecond())),
            new Column(
                "CPU" + timeUnit,
                cell -> times.text(cell.mean(Usage::userNs) + cell.mean(Usage::systemNs))),
            new Column(
                "",
                cell ->
                    switch (standing(cell)) {
                      case FASTEST -> "fastest";
                      case WITHIN_NOISE -> "as fast, or nearly";
                      case SLOWER -> ratio(cell) + " times as long";
                      case ALONE -> "";
                    }));
    Table table = table(columns.subList(0, 3), "a call", "strategy");
    return ofAll(columns, table.signs().left(""));
  }

  /// A row for each cell but those that were refused.
  private Table ofAll(List<Column> columns, Table table) {
    for (CellResult each : group.cells()) {
      List<String> cells = Trait.tellApart(each.cell(), traits);
      switch (each) {
        case CellResult.Measurement cell -> {
          columns.forEach(column -> cells.add(column.figure().apply(cell)));
          table.row(standing(cell).mark(unicode), cells);
        }
        case CellResult.Failed cell ->
            table.row(FAILED, cells, "FAILED: " + Printable.ofPhrase(cell.message()));
        case CellResult.Refused _ -> {}
      }
    }
    return table;
  }

  /// Whether what looks faster may be chance.
  private boolean areRunsFew() {
    return measured.stream().anyMatch(cell -> cell.samples().size() < RUNS_MIN);
  }

  /// Which is the fastest, in a sentence; empty if nothing was compared.
  String answer() {
    if (measured.size() < 2) {
      return "";
    }
    List<String> fastest = new ArrayList<>(List.of(called(winner)));
    CellResult.Measurement rival = null;
    for (CellResult.Measurement cell : measured) {
      switch (standing(cell)) {
        case WITHIN_NOISE -> fastest.add(called(cell));
        case SLOWER -> rival = rival == null ? cell : usualOrSlower(rival, cell);
        case FASTEST, ALONE -> {}
      }
    }
    int more = fastest.size() - NAMES_MAX;
    if (more > 0) {
      fastest.subList(NAMES_MAX, fastest.size()).clear();
      fastest.add(more + " more");
    }
    Cell cell = winner.cell();
    String from = cell.cache() == Cell.Cache.COLD ? " that is not in memory" : "";
    String what = cell.experiment().word() + " a file of " + new ByteSize(cell.fileBytes()) + from;
    String beside = "; nothing else is slower by more than chance.";
    if (rival != null) {
      double ratio = rival.elapsed().median() / winner.elapsed().median();
      beside = ": " + Scale.threeFigures(ratio) + " times as fast as " + called(rival) + ".";
    }
    String are = fastest.size() == 1 ? " is" : " are";
    String begin = areRunsFew() ? "With too few runs to be sure, " : "On this machine, ";
    return begin + Prose.list(fastest) + are + " the fastest to " + what + beside;
  }

  /// What many programs do, or else the slowest.
  private static CellResult.Measurement usualOrSlower(
      CellResult.Measurement one, CellResult.Measurement other) {
    boolean isUsual = one.cell().contender().equals(USUAL);
    boolean isOtherUsual = other.cell().contender().equals(USUAL);
    if (isUsual != isOtherUsual) {
      return isUsual ? one : other;
    }
    boolean isSlower = other.elapsed().median() > one.elapsed().median();
    return isSlower != isUsual ? other : one;
  }

  /// `direct with 64K a call`
  private String called(CellResult.Measurement cell) {
    List<String> words = Trait.tellApart(cell.cell(), traits);
    if (cell.cell().hasChunk()) {
      words.set(1, "with " + words.get(1) + " a call");
    } else if (cell.cell().chunkBytes() != Choice.WHOLE) {
      words.remove(1);
    }
    return String.join(" ", words);
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
    Table table = table(columns, "chunk", "article", "strategy").left("the article's figures");
    for (CellResult.Measurement cell : measured) {
      Cell.ArticleClaim claim = cell.cell().claim();
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

  /// What one run used.
  Table costs() {
    return filled(
        measured,
        "one run",
        new Column("user", cell -> times.text(cell.mean(Usage::userNs))),
        new Column("sys", cell -> times.text(cell.mean(Usage::systemNs))),
        new Column(callsHeader(measured), cell -> Scale.count(cell.systemCalls())),
        count("switches", "waited", Usage::voluntarySwitches),
        count("switches", "evicted", Usage::involuntarySwitches),
        count("faults", "minor", Usage::minorFaults),
        count("faults", "major", Usage::majorFaults));
  }

  /// How the runs were made.
  Table uses() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("runs", cell -> "" + cell.samples().size()));
    columns.add(new Column("warm-up", cell -> "" + cell.warmUpRuns()));
    columns.add(new Column("cached", cell -> Scale.percent(cell.cachedBefore())));
    columns.add(new Column("mean", cell -> times.text(cell.elapsed().mean())));
    if (measured.stream().anyMatch(cell -> cell.socketBufferBytes() > 0)) {
      columns.add(new Column("buffer", GroupTables::buffer));
    }
    return filled(measured, "the runs", columns.toArray(Column[]::new));
  }

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
    Function<CellResult.Measurement, String> runs = cell -> "" + cell.samples().size();
    List<CellResult.Measurement> cut =
        measured.stream().filter(cell -> cell.samples().size() < runsMax).toList();
    boolean alike = measured.stream().map(runs).distinct().count() == 1;
    if (alike && !cut.isEmpty()) {
      String count = runs.apply(cut.getFirst());
      notes.add("runs: " + count + " of each cell here, up to " + runsMax + " in other tables");
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
    List<CellResult.Refused> refused = group.all(CellResult.Refused.class).toList();
    byText(refused, cell -> Printable.ofPhrase(cell.reason()))
        .forEach((reason, names) -> notes.add("not here: " + names + ": " + reason));
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
    table.band("measured, a MiB").right(callsHeader(cells), "switches", "copied", "faults");
    for (CellResult.Measurement cell : cells) {
      List<String> line = Trait.tellApart(cell.cell(), traits);
      line.add(Integer.toString(cell.model().modeSwitches()));
      line.add(cell.model().userKernelCopies() + "+" + cell.model().kernelKernelCopies());
      line.add(Scale.average(cell.perMib(cell.systemCalls())));
      line.add(Scale.average(cell.modeSwitchesPerMib()));
      double copied = cell.userCopies();
      line.add(Double.isNaN(copied) ? "-" : Scale.threeFigures(copied) + (unicode ? "×" : "x"));
      line.add(
          Scale.average(
              cell.perMib(cell.median(Usage::minorFaults) + cell.median(Usage::majorFaults))));
      table.row(new Table.Mark(cell.cell().experiment().word(), "other", ""), line);
    }
    return table;
  }

  /// The fastest cell of each strategy in each experiment.
  static List<CellResult.Measurement> best(List<CellResult.Measurement> cells) {
    Map<List<Object>, CellResult.Measurement> best = new LinkedHashMap<>();
    for (CellResult.Measurement cell : cells) {
      List<Object> strategy = List.of(cell.cell().experiment(), cell.cell().contender());
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
        cells.stream()
            .anyMatch(cell -> cell.callCount().kind() == CallCount.CountedBy.READS_AND_WRITES);
    return some ? "r/w" : "calls";
  }

  private Table filled(List<CellResult.Measurement> rows, String first, Column... columns) {
    Table table = table(List.of(columns), "chunk", first);
    for (CellResult.Measurement cell : rows) {
      List<String> cells = Trait.tellApart(cell.cell(), traits);
      Stream.of(columns).forEach(column -> cells.add(column.figure().apply(cell)));
      table.row(cells);
    }
    return table;
  }

  private Table table(List<Column> columns, String chunk, String... first) {
    Table table = new Table().left(first).right(chunk);
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
    List<String> parts = new ArrayList<>();
    byText(cells, figure).forEach((text, names) -> parts.add(text + " of " + names));
    return String.join("; ", parts);
  }

  private <C extends CellResult> Map<String, String> byText(
      List<C> cells, Function<C, String> text) {
    return cells.stream()
        .collect(
            Collectors.groupingBy(
                text,
                LinkedHashMap::new,
                Collectors.mapping(this::name, Collectors.joining(", "))));
  }

  private String time(long elapsedNs) {
    String text = new Elapsed(elapsedNs).toString();
    return unicode ? text : text.replace('µ', 'u');
  }

  private static double nsPerByte(CellResult.Measurement cell) {
    return cell.elapsed().median() / cell.cell().fileBytes();
  }

  /// What cells of one group may differ in besides their contender and their chunk. A report shows
  /// a trait if they do.
  enum Trait {
    EXPERIMENT("does", cell -> cell.experiment().word()),
    SIZE("size", cell -> size(cell.fileBytes())),
    CACHE("cache", cell -> Words.of(cell.cache())),
    FORCING("force", cell -> forcing(cell.forcing())),
    PEER("peer", cell -> size(cell.peer().chunkBytes()) + (cell.peer().toFile() ? " to file" : "")),
    SOCKET_BUFFER(
        "buffer",
        cell -> cell.socketBufferBytes() == 0 ? "kernel's" : size(cell.socketBufferBytes()));

    private final String header;
    private final Function<Cell, String> text;

    Trait(String header, Function<Cell, String> text) {
      this.header = header;
      this.text = text;
    }

    String header() {
      return header;
    }

    static List<Trait> thatDiffer(BenchResult.Group group) {
      List<Cell> cells = group.cells().stream().map(CellResult::cell).toList();
      return Arrays.stream(values()).filter(trait -> trait.differs(cells)).toList();
    }

    /// Those that tell cells apart which have the experiment, the contender and the chunk in
    /// common.
    static List<Trait> thatTellApart(List<Cell> cells) {
      Map<List<Object>, List<Cell>> alike =
          cells.stream()
              .collect(
                  Collectors.groupingBy(
                      cell -> List.of(cell.experiment(), cell.contender(), cell.chunkBytes())));
      return Arrays.stream(values())
          .filter(trait -> alike.values().stream().anyMatch(trait::differs))
          .toList();
    }

    /// What tells the cell from others of its group, safe for a terminal: `direct`, `512K`, `cold`.
    static List<String> tellApart(Cell cell, List<Trait> traits) {
      String chunk = cell.chunkBytes() == Choice.WHOLE ? "whole" : "own";
      List<String> words = new ArrayList<>();
      words.add(Printable.of(cell.contender()));
      words.add(cell.hasChunk() ? size(cell.chunkBytes()) : chunk);
      traits.forEach(trait -> words.add(trait.text.apply(cell)));
      return words;
    }

    private boolean differs(List<Cell> cells) {
      return cells.stream().map(text).distinct().count() > 1;
    }

    /// As a user types it: `290M`, `200000`.
    private static String size(long bytes) {
      String units = "KMGT";
      long left = bytes;
      int unit = -1;
      while (left != 0 && left % 1024 == 0 && unit < units.length() - 1) {
        left /= 1024;
        unit++;
      }
      return unit < 0 ? Long.toString(left) : left + "" + units.charAt(unit);
    }

    private static String forcing(Cell.ForceRule forcing) {
      if (forcing.everyBytes() == 0) {
        return "never";
      }
      String when = forcing.everyBytes() == Long.MAX_VALUE ? "end" : size(forcing.everyBytes());
      return forcing.asynchronous() ? when + " beside" : when;
    }
  }
}

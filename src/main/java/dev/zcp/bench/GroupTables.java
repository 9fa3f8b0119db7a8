package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Printable;
import dev.zcp.report.Scale;
import dev.zcp.report.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
  private final List<CellResult.Measured> measured;
  private final List<Trait> traits;
  private final Ranking ranking;
  private final Scale times;
  private final Scale rates;

  /// @param unicode whether more than ASCII is shown; names may hold more in any case
  GroupTables(BenchResult.Group group, boolean unicode) {
    this.group = group;
    this.unicode = unicode;
    this.measured = group.measured();
    this.traits = Trait.thatDiffer(group);
    this.ranking = new Ranking(group);
    double[] ns =
        measured.stream()
            .flatMap(
                cell ->
                    List.of(
                        cell.elapsed().min(),
                        Math.max(cell.first().elapsedNs(), cell.elapsed().max()))
                        .stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    double[] speeds =
        measured.stream().mapToDouble(CellResult.Measured::bytesPerSecond).sorted().toArray();
    Arrays.sort(ns);
    this.times = ns.length == 0 ? Scale.ofTimes(0, 0) : Scale.ofTimes(ns[0], ns[ns.length - 1]);
    this.rates = speeds.length == 0 ? times : Scale.ofRates(speeds[0], speeds[speeds.length - 1]);
  }

  List<Trait> traits() {
    return traits;
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
    Table table = table("strategy").signs();
    table.right("first", "median", "min", "max", spreadHeader(unicode), "ratio", "rate");
    table.right("user", "sys", callsHeader(measured), "ctx");
    for (CellResult each : group.cells()) {
      List<String> cells = Trait.tellApart(each.cell(), traits);
      switch (each) {
        case CellResult.Measured cell -> {
          Summary elapsed = cell.elapsed();
          cells.add(times.text(cell.first().elapsedNs()));
          cells.add(times.text(elapsed.median()));
          cells.add(times.text(elapsed.min()));
          cells.add(times.text(elapsed.max()));
          cells.add(Long.toString(Math.round(100 * elapsed.spread())));
          cells.add(Scale.threeFigures(ranking.ratio(cell)));
          cells.add(rates.text(cell.bytesPerSecond()));
          cells.add(times.text(cell.mean(Usage::userNs)));
          cells.add(times.text(cell.mean(Usage::systemNs)));
          cells.add(Scale.count(cell.systemCalls()));
          cells.add(Scale.count(cell.median(Usage::contextSwitches)));
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
    Table table = table("article", "strategy");
    boolean processor =
        measured.stream().anyMatch(cell -> cell.cell().claim().tellsProcessorTime());
    table.right("first", "mean").right(processor ? new String[] {"user", "sys"} : new String[0]);
    table.left("the article's figures");
    for (CellResult.Measured cell : measured) {
      Cell.Claim claim = cell.cell().claim();
      if (!claim.row().isEmpty()) {
        List<String> cells = Trait.tellApart(cell.cell(), traits);
        cells.addFirst(Printable.of(claim.row()));
        cells.add(times.text(cell.first().elapsedNs()));
        cells.add(times.text(cell.elapsed().mean()));
        if (processor) {
          cells.add(times.text(cell.mean(Usage::userNs)));
          cells.add(times.text(cell.mean(Usage::systemNs)));
        }
        cells.add(claim.figures().isEmpty() ? "-" : Printable.of(claim.figures()));
        table.row(cells);
      }
    }
    return table;
  }

  /// How often one run forced what it wrote, and how long single forces took; empty if none did.
  Table forces() {
    Table table = table("one force").right("a run", "p50", "max");
    for (CellResult.Measured cell : measured) {
      if (cell.forceLatencies() != null) {
        List<String> cells = Trait.tellApart(cell.cell(), traits);
        cells.add(Scale.count(cell.forces()));
        cells.add(time(cell.forceLatencies().percentileNs(50)));
        cells.add(time(cell.forceLatencies().maxNs()));
        table.row(cells);
      }
    }
    return table;
  }

  /// How the runs were made, and what one of them used.
  Table uses() {
    Table table = table("one run").right("runs", "warm", "cached", "mean", "spread");
    table.band("switches").right("waited", "evicted");
    table.band("faults").right("minor", "major");
    boolean sockets = measured.stream().anyMatch(cell -> cell.socketBufferBytes() > 0);
    table.band("").right(sockets ? new String[] {"buffer"} : new String[0]);
    for (CellResult.Measured cell : measured) {
      List<String> cells = Trait.tellApart(cell.cell(), traits);
      cells.add(Integer.toString(cell.samples().size()));
      cells.add(Integer.toString(cell.warmUpRuns()));
      cells.add(Scale.percent(cell.cachedBefore()));
      cells.add(times.text(cell.elapsed().mean()));
      cells.add(Scale.percent(cell.elapsed().spread()));
      cells.add(Scale.count(cell.median(Usage::voluntarySwitches)));
      cells.add(Scale.count(cell.median(Usage::involuntarySwitches)));
      cells.add(Scale.count(cell.median(Usage::minorFaults)));
      cells.add(Scale.count(cell.median(Usage::majorFaults)));
      if (sockets) {
        cells.add(new ByteSize(cell.socketBufferBytes()).toString());
      }
      table.row(cells);
    }
    return table;
  }

  /// How long single calls took.
  Table calls() {
    Table table = table("one call").right("a run", "p50", "p90", "p99", "p99.9", "max");
    for (CellResult.Measured cell : measured) {
      List<String> cells = Trait.tellApart(cell.cell(), traits);
      cells.add(Scale.count(cell.callsPerRun()));
      for (double percent : new double[] {50, 90, 99, 99.9}) {
        cells.add(time(cell.latencies().percentileNs(percent)));
      }
      cells.add(time(cell.latencies().maxNs()));
      table.row(cells);
    }
    return table;
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
    Function<CellResult.Measured, String> runs = cell -> Integer.toString(cell.samples().size());
    List<CellResult.Measured> cut =
        measured.stream().filter(cell -> cell.samples().size() < runsMax).toList();
    boolean alike = measured.stream().map(runs).distinct().count() == 1;
    if (alike && !cut.isEmpty()) {
      String count = runs.apply(cut.getFirst());
      notes.add("runs: " + count + " of each cell, for " + runsMax + " elsewhere");
    } else if (!cut.isEmpty()) {
      notes.add("fewer runs than the " + runsMax + " of others: " + listed(cut, runs));
    }
    Function<CellResult.Measured, String> buffer =
        cell -> new ByteSize(cell.socketBufferBytes()).toString();
    List<CellResult.Measured> sockets =
        measured.stream().filter(cell -> cell.socketBufferBytes() > 0).toList();
    if (sockets.stream().map(CellResult.Measured::socketBufferBytes).distinct().count() == 1) {
      notes.add("socket buffer: " + buffer.apply(sockets.getFirst()));
    } else if (!sockets.isEmpty()) {
      notes.add("socket buffer: " + listed(sockets, buffer));
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
  static Table model(List<CellResult.Measured> cells, boolean unicode, boolean isPage) {
    List<Trait> traits = new ArrayList<>(isPage ? List.of(Trait.EXPERIMENT) : List.of());
    traits.addAll(Trait.thatTellApart(cells.stream().map(CellResult.Measured::cell).toList()));
    Table table = new Table().signs().left("strategy").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.band("theory, a call").right("switches", "copies");
    table.band("measured, a MiB").right(callsHeader(cells), "switches", "copied", "ctx", "faults");
    for (CellResult.Measured cell : cells) {
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
  static List<CellResult.Measured> best(List<CellResult.Measured> cells) {
    Map<List<String>, CellResult.Measured> best = new LinkedHashMap<>();
    for (CellResult.Measured cell : cells) {
      List<String> strategy = List.of(cell.cell().experiment().word(), cell.cell().contender());
      best.merge(strategy, cell, (old, other) -> nsPerByte(other) < nsPerByte(old) ? other : old);
    }
    return List.copyOf(best.values());
  }

  /// `System calls: all, by tracepoint.`
  static String systemCalls(List<CellResult.Measured> cells) {
    List<String> ways =
        cells.stream().map(cell -> cell.callCount().kind().phrase()).distinct().toList();
    return "System calls: " + String.join("; for some cells ", ways) + ".";
  }

  static String spreadHeader(boolean unicode) {
    return unicode ? "±%" : "+-%";
  }

  /// Another one if only reads and writes were counted.
  private static String callsHeader(List<CellResult.Measured> cells) {
    boolean some =
        cells.stream().anyMatch(cell -> cell.callCount().kind() == CallCount.Kind.READS_AND_WRITES);
    return some ? "r/w" : "calls";
  }

  private Table table(String... first) {
    Table table = new Table().left(first).right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    return table;
  }

  /// `3 of stream whole, heap 4K; 1 of mmap 4K`
  private String listed(
      List<CellResult.Measured> cells, Function<CellResult.Measured, String> figure) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (CellResult.Measured cell : cells) {
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

  private static double nsPerByte(CellResult.Measured cell) {
    return cell.elapsed().median() / Math.max(1, cell.cell().fileBytes());
  }
}

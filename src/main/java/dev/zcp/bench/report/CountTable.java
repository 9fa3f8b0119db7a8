package dev.zcp.bench.report;

import dev.zcp.bench.result.CellResult;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import java.util.ArrayList;
import java.util.List;

/// What the main table of a group has no room for.
final class CountTable {

  private CountTable() {}

  /// How the runs were made, and what one of them used.
  static TextTable uses(List<Row.Measured> rows, List<Trait> traits, Scale times) {
    TextTable table = new TextTable().left("one run").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.right("runs", "warm", "cached", "mean", "spread");
    table.band("switches").right("waited", "evicted");
    table.band("faults").right("minor", "major");
    boolean sockets = rows.stream().anyMatch(row -> row.socketBufferBytes() > 0);
    if (sockets) {
      table.band("").right("buffer");
    }
    for (Row.Measured row : rows) {
      List<String> cells = new ArrayList<>(Trait.tellApart(row.cell(), traits));
      cells.add(Integer.toString(row.samplesNs().size()));
      cells.add(Integer.toString(row.warmUpRuns()));
      cells.add(Scale.percent(row.cachedBefore()));
      cells.add(times.text(row.elapsed().mean()));
      cells.add(Scale.percent(row.elapsed().spread()));
      cells.add(Scale.count(row.use().voluntarySwitches()));
      cells.add(Scale.count(row.use().involuntarySwitches()));
      cells.add(Scale.count(row.use().minorFaults()));
      cells.add(Scale.count(row.use().majorFaults()));
      if (sockets) {
        cells.add(new ByteSize(row.socketBufferBytes()).toString());
      }
      table.row(cells);
    }
    return table;
  }

  /// How long single calls took.
  static TextTable calls(List<Row.Measured> rows, List<Trait> traits, boolean unicode) {
    TextTable table = new TextTable().left("one call").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.right("a run", "p50", "p90", "p99", "p99.9", "max");
    for (Row.Measured row : rows) {
      List<String> cells = new ArrayList<>(Trait.tellApart(row.cell(), traits));
      cells.add(Scale.count(row.callsPerRun()));
      cells.add(time(row.calls().p50Ns(), unicode));
      cells.add(time(row.calls().p90Ns(), unicode));
      cells.add(time(row.calls().p99Ns(), unicode));
      cells.add(time(row.calls().p999Ns(), unicode));
      cells.add(time(row.calls().maxNs(), unicode));
      table.row(cells);
    }
    return table;
  }

  /// Whether not all calls were timed.
  static boolean hasSmallCalls(List<Row.Measured> rows) {
    return rows.stream()
        .filter(row -> row.callsPerRun() > 1)
        .anyMatch(row -> row.cell().fileBytes() / row.callsPerRun() < CellResult.SMALL_CALL_BYTES);
  }

  /// How often one run forced what it wrote, and how long single forces took; empty where none did.
  static TextTable forces(List<Row.Measured> rows, List<Trait> traits, boolean unicode) {
    TextTable table = new TextTable().left("one force").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.right("a run", "p50", "max");
    for (Row.Measured row : rows) {
      if (row.forceTimes() != null) {
        List<String> cells = new ArrayList<>(Trait.tellApart(row.cell(), traits));
        cells.add(Scale.count(row.forces()));
        cells.add(time(row.forceTimes().p50Ns(), unicode));
        cells.add(time(row.forceTimes().maxNs(), unicode));
        table.row(cells);
      }
    }
    return table;
  }

  private static String time(long elapsedNs, boolean unicode) {
    String text = new Elapsed(elapsedNs).toString();
    return unicode ? text : text.replace('µ', 'u');
  }
}

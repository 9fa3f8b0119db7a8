package dev.zcp.bench.report;

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
    table.right("runs", "warm-up", "cached", "mean", "spread");
    table.band("switches").right("waited", "evicted");
    table.band("faults").right("minor", "major");
    table.band("").right("buffer");
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
      int buffer = row.socketBufferBytes();
      cells.add(buffer == 0 ? "-" : new ByteSize(buffer).toString());
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

  private static String time(long elapsedNs, boolean unicode) {
    String text = new Elapsed(elapsedNs).toString();
    return unicode ? text : text.replace('µ', 'u');
  }
}

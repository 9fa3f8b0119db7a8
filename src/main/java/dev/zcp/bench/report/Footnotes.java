package dev.zcp.bench.report;

import dev.zcp.core.ByteSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What must be known of some cells of a group, or of all, and has no column: lines below its
/// table.
final class Footnotes {

  private Footnotes() {}

  /// @param runsMax how many runs that cell of the benchmark has which has most
  static List<String> of(List<Row.Measured> rows, List<Trait> traits, int runsMax) {
    List<String> notes = new ArrayList<>();
    List<Row.Measured> cut = rows.stream().filter(row -> runs(row) < runsMax).toList();
    boolean alike = rows.stream().map(Footnotes::runs).distinct().count() == 1;
    if (alike && !cut.isEmpty()) {
      notes.add("runs: " + runs(cut.getFirst()) + " of each cell, for " + runsMax + " elsewhere");
    } else if (!cut.isEmpty()) {
      notes.add(
          "fewer runs than the "
              + runsMax
              + " of others: "
              + listed(cut, traits, row -> Integer.toString(runs(row))));
    }
    List<Row.Measured> sockets = rows.stream().filter(row -> row.socketBufferBytes() > 0).toList();
    if (sockets.stream().map(Row.Measured::socketBufferBytes).distinct().count() == 1) {
      notes.add("socket buffer: " + buffer(sockets.getFirst()));
    } else if (!sockets.isEmpty()) {
      notes.add("socket buffer: " + listed(sockets, traits, Footnotes::buffer));
    }
    return notes;
  }

  private static int runs(Row.Measured row) {
    return row.samplesNs().size();
  }

  private static String buffer(Row.Measured row) {
    return new ByteSize(row.socketBufferBytes()).toString();
  }

  /// `3 of stream whole, heap 4K; 1 of mmap 4K`
  private static String listed(
      List<Row.Measured> rows, List<Trait> traits, Function<Row.Measured, String> figure) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (Row.Measured row : rows) {
      names
          .computeIfAbsent(figure.apply(row), _ -> new ArrayList<>())
          .add(String.join(" ", Trait.tellApart(row.cell(), traits)));
    }
    List<String> parts = new ArrayList<>();
    names.forEach((text, cells) -> parts.add(text + " of " + String.join(", ", cells)));
    return String.join("; ", parts);
  }
}

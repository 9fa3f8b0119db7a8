package dev.zcp.bench;

import dev.zcp.core.Printable;
import dev.zcp.engine.Choice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What cells of one group may differ in besides their contender and their chunk. A report shows a
/// trait if they do.
enum Trait {
  EXPERIMENT("does", cell -> cell.experiment().word()),
  SIZE("size", cell -> size(cell.fileBytes())),
  CACHE("cache", cell -> cell.cache().word()),
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

  /// Those that tell cells apart which have the experiment, the contender and the chunk in common.
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

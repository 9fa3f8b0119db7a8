package dev.zcp.bench.report;

import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Forcing;
import dev.zcp.core.Printable;
import dev.zcp.engine.Choice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What cells of one group may differ in besides their contender and their chunk. A report shows a
/// trait where they do.
enum Trait {
  EXPERIMENT("does") {
    @Override
    String of(Cell cell) {
      return cell.experiment().word();
    }
  },
  SIZE("size") {
    @Override
    String of(Cell cell) {
      return size(cell.fileBytes());
    }
  },
  CACHE("cache") {
    @Override
    String of(Cell cell) {
      return cell.cache().word();
    }
  },
  FORCING("force") {
    @Override
    String of(Cell cell) {
      return forcing(cell.forcing());
    }
  },
  PEER("peer") {
    @Override
    String of(Cell cell) {
      return size(cell.peer().chunkBytes()) + (cell.peer().toFile() ? " to file" : "");
    }
  },
  SOCKET_BUFFER("buffer") {
    @Override
    String of(Cell cell) {
      return cell.socketBufferBytes() == 0 ? "kernel's" : size(cell.socketBufferBytes());
    }
  };

  private final String header;

  Trait(String header) {
    this.header = header;
  }

  abstract String of(Cell cell);

  String header() {
    return header;
  }

  static List<Trait> thatDiffer(Sheet.Group group) {
    return Arrays.stream(values())
        .filter(
            trait -> group.rows().stream().map(row -> trait.of(row.cell())).distinct().count() > 1)
        .toList();
  }

  /// Those that tell cells apart which have the experiment, the contender and the chunk in common.
  static List<Trait> thatTellApart(List<Cell> cells) {
    Map<List<Object>, List<Cell>> alike =
        cells.stream()
            .collect(
                Collectors.groupingBy(
                    cell -> List.of(cell.experiment(), cell.contender(), cell.chunkBytes())));
    return Arrays.stream(values())
        .filter(
            trait ->
                alike.values().stream()
                    .anyMatch(same -> same.stream().map(trait::of).distinct().count() > 1))
        .toList();
  }

  /// The contender's name, safe for a terminal.
  static String contender(Cell cell) {
    return Printable.of(cell.contender());
  }

  /// `512K`; `whole`; `own` where it is left to the strategy.
  static String chunk(Cell cell) {
    if (cell.chunkBytes() == Choice.WHOLE) {
      return "whole";
    }
    return cell.chunkBytes() == Choice.ADAPTIVE ? "own" : size(cell.chunkBytes());
  }

  /// What tells the cell from others of its group: `direct`, `512K`, `cold`.
  static List<String> tellApart(Cell cell, List<Trait> traits) {
    List<String> words = new ArrayList<>(List.of(contender(cell), chunk(cell)));
    traits.forEach(trait -> words.add(trait.of(cell)));
    return words;
  }

  /// As a user types it: `290M`, `200000`.
  static String size(long bytes) {
    String units = "KMGT";
    long left = bytes;
    int unit = -1;
    while (left != 0 && left % 1024 == 0 && unit < units.length() - 1) {
      left /= 1024;
      unit++;
    }
    return unit < 0 ? Long.toString(left) : left + "" + units.charAt(unit);
  }

  private static String forcing(Forcing forcing) {
    if (forcing.everyBytes() == 0) {
      return "never";
    }
    String when = forcing.everyBytes() == Long.MAX_VALUE ? "end" : size(forcing.everyBytes());
    return forcing.asynchronous() ? when + " beside" : when;
  }
}

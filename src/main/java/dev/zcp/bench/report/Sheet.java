package dev.zcp.bench.report;

import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.CellResult;
import dev.zcp.bench.result.Machine;
import java.util.List;

/// A benchmark as every form of its report shows it: the runs of a cell summed up, its latencies as
/// a few percentiles. It is what JSON keeps, so an old run can be shown as a new one can.
///
/// @param startedMs in milliseconds since 1970
/// @param exitCode what the command told the shell about it
record Sheet(
    String command,
    String version,
    long startedMs,
    Machine machine,
    long seed,
    List<Group> groups,
    List<String> warnings,
    int exitCode) {

  Sheet {
    groups = List.copyOf(groups);
    warnings = List.copyOf(warnings);
  }

  /// Cells that competed.
  ///
  /// @param note may be empty
  record Group(String title, String note, List<Row> rows) {
    Group {
      rows = List.copyOf(rows);
    }

    List<Row.Measured> measured() {
      return rows.stream()
          .filter(Row.Measured.class::isInstance)
          .map(Row.Measured.class::cast)
          .toList();
    }

    List<Row.Refused> refused() {
      return rows.stream()
          .filter(Row.Refused.class::isInstance)
          .map(Row.Refused.class::cast)
          .toList();
    }
  }

  static Sheet of(BenchResult result) {
    return new Sheet(
        result.command(),
        result.zcpVersion(),
        result.startedMs(),
        result.machine(),
        result.seed(),
        result.groups().stream().map(Sheet::group).toList(),
        result.warnings(),
        result.exitCode().number());
  }

  private static Group group(BenchResult.Group group) {
    return new Group(group.title(), group.note(), group.cells().stream().map(Sheet::row).toList());
  }

  private static Row row(CellResult result) {
    return switch (result) {
      case CellResult.Measured measured -> Row.Measured.of(measured);
      case CellResult.Refused refused -> new Row.Refused(refused.cell(), refused.reason());
      case CellResult.Failed failed -> new Row.Failed(failed.cell(), failed.message());
    };
  }

  /// All measured rows of all groups.
  List<Row.Measured> measured() {
    return groups.stream().flatMap(group -> group.measured().stream()).toList();
  }

  /// How many runs that cell has which has most; 0 where nothing was measured.
  int runsMax() {
    return measured().stream().mapToInt(row -> row.samplesNs().size()).max().orElse(0);
  }
}

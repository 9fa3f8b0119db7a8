package dev.zcp.bench.result;

import dev.zcp.core.ExitCode;
import java.util.List;

/// What a benchmark found.
///
/// @param command the command line, to repeat it by
/// @param zcpVersion as `zcp --version` says it
/// @param startedMs when it began, in milliseconds since 1970
/// @param machine where it ran
/// @param seed of the order in which cells took turns
/// @param groups in the order of the plan
/// @param warnings what makes the figures less sure: a busy machine, a changing clock
public record BenchResult(
    String command,
    String zcpVersion,
    long startedMs,
    Machine machine,
    long seed,
    List<Group> groups,
    List<String> warnings) {

  public BenchResult {
    groups = List.copyOf(groups);
    warnings = List.copyOf(warnings);
  }

  /// Cells that competed.
  ///
  /// @param title what they did, one line
  /// @param note what to know beside it; may be empty
  public record Group(String title, String note, List<CellResult> cells) {
    public Group {
      cells = List.copyOf(cells);
    }
  }

  /// What the shell is told: INTEGRITY where a cell went wrong; STRATEGY where there were cells and
  /// none could be measured.
  public ExitCode exitCode() {
    if (failed()) {
      return ExitCode.INTEGRITY;
    }
    List<CellResult> cells = groups.stream().flatMap(group -> group.cells().stream()).toList();
    boolean isRefused =
        !cells.isEmpty() && cells.stream().allMatch(CellResult.Refused.class::isInstance);
    return isRefused ? ExitCode.STRATEGY : ExitCode.OK;
  }

  /// Whether a cell went wrong.
  public boolean failed() {
    return groups.stream()
        .flatMap(group -> group.cells().stream())
        .anyMatch(cell -> cell instanceof CellResult.Failed);
  }
}

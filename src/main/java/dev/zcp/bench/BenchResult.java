package dev.zcp.bench;

import dev.zcp.core.ExitCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a benchmark found.
///
/// @param command the command line, to repeat it by
/// @param startedMs when it began, in milliseconds since 1970
/// @param seed of the order in which cells took turns
/// @param warnings what makes the figures less sure: a busy machine, a changing clock
public record BenchResult(
    String command,
    String zcpVersion,
    long startedMs,
    Machine machine,
    long seed,
    List<Group> groups,
    List<String> warnings) {

  /// Of [Summary#spread]: beyond it, differences of a tenth between cells are chance.
  static final double SPREAD_MAX = 0.10;

  public BenchResult {
    groups = List.copyOf(groups);
    warnings = List.copyOf(warnings);
  }

  /// Cells that competed, as in [BenchRequest.CellGroup].
  public record Group(String title, String note, List<CellResult> cells) {

    public Group {
      cells = List.copyOf(cells);
    }

    List<CellResult.Measurement> measured() {
      return all(CellResult.Measurement.class).toList();
    }

    <T extends CellResult> Stream<T> all(Class<T> kind) {
      return cells.stream().filter(kind::isInstance).map(kind::cast);
    }
  }

  /// INTEGRITY if a cell went wrong; STRATEGY if there were cells and none could be measured.
  public ExitCode exitCode() {
    if (failed()) {
      return ExitCode.INTEGRITY;
    }
    boolean isEmpty = groups.stream().allMatch(group -> group.cells().isEmpty());
    return measured().isEmpty() && !isEmpty ? ExitCode.STRATEGY : ExitCode.OK;
  }

  boolean failed() {
    return groups.stream().anyMatch(group -> group.all(CellResult.Failed.class).count() > 0);
  }

  List<CellResult.Measurement> measured() {
    return measured(groups);
  }

  /// How many runs that cell has which has most; 0 if nothing was measured.
  int runsMax() {
    return measured().stream().mapToInt(cell -> cell.samples().size()).max().orElse(0);
  }

  /// `2026-11-21T15:10:56Z`
  String started() {
    return Instant.ofEpochMilli(startedMs).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// How many cells differ so much from run to run that their figures are not to be trusted, and
  /// the worst of them, as a phrase for people; empty if none does.
  static Optional<String> spreadWarning(List<Group> groups) {
    List<CellResult.Measurement> measured = measured(groups);
    List<CellResult.Measurement> wide =
        measured.stream().filter(cell -> cell.elapsed().spread() > SPREAD_MAX).toList();
    return wide.stream()
        .max(Comparator.comparingDouble(cell -> cell.elapsed().spread()))
        .map(
            widest ->
                ("the middle half of the runs of %s of %s cells spans more than %s of their median,"
                        + " most of all that of %s with %s: a quieter machine or more --runs would"
                        + " tell more")
                    .formatted(
                        wide.size(),
                        measured.size(),
                        percent(SPREAD_MAX),
                        widest.cell().sentence(),
                        percent(widest.elapsed().spread())));
  }

  /// How many of the warm cells had a run that did not find all of its file in the page cache, and
  /// the one that found least, as a phrase for people; empty if each found all, or nobody could
  /// tell.
  static Optional<String> coolingWarning(List<Group> groups) {
    List<CellResult.Measurement> warm =
        measured(groups).stream()
            .filter(each -> each.cell().cache() == Cell.Cache.WARM)
            .filter(each -> !Double.isNaN(each.cachedBefore()))
            .toList();
    List<CellResult.Measurement> cooled =
        warm.stream().filter(each -> each.cachedBefore() < 1).toList();
    return cooled.stream()
        .min(Comparator.comparingDouble(CellResult.Measurement::cachedBefore))
        .map(
            least ->
                ("%s of %s cells that read a warm file did not find all of it in the page cache"
                        + " before one run or more, least of all %s with %s %%")
                    .formatted(
                        cooled.size(),
                        warm.size(),
                        least.cell().sentence(),
                        // Never 100 %.
                        (int) Math.floor(100 * least.cachedBefore())));
  }

  private static List<CellResult.Measurement> measured(List<Group> groups) {
    return groups.stream().flatMap(group -> group.measured().stream()).toList();
  }

  static String percent(double part) {
    return Math.round(part * 100) + " %";
  }
}

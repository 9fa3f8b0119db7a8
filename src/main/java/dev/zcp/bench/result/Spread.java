package dev.zcp.bench.result;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Tells which cells differ so much from run to run that their figures are not to be trusted.
public final class Spread {

  /// Of [Summary#spread]: where the middle half of the runs lies further apart than a tenth of the
  /// median, differences of a tenth between cells are chance.
  public static final double SPREAD_MAX = 0.10;

  private Spread() {}

  /// Whether the runs of `cell` differ too much.
  public static boolean isWide(CellResult.Measured cell) {
    return of(cell) > SPREAD_MAX;
  }

  /// How many of the measured cells are wide, and the widest of them, as a phrase for people; empty
  /// where none is.
  public static Optional<String> warning(List<BenchResult.Group> groups) {
    List<CellResult.Measured> measured =
        groups.stream()
            .flatMap(group -> group.cells().stream())
            .filter(CellResult.Measured.class::isInstance)
            .map(CellResult.Measured.class::cast)
            .toList();
    List<CellResult.Measured> wide = measured.stream().filter(Spread::isWide).toList();
    return wide.stream()
        .max(Comparator.comparingDouble(Spread::of))
        .map(widest -> warning(wide.size(), measured.size(), widest));
  }

  private static String warning(int wide, int measured, CellResult.Measured widest) {
    return "the middle half of the runs of "
        + wide
        + " of "
        + measured
        + " cells spans more than "
        + percent(SPREAD_MAX)
        + " of their median, most of all that of "
        + CellName.of(widest.cell())
        + " with "
        + percent(of(widest))
        + ": a quieter machine or more --runs would tell more";
  }

  private static double of(CellResult.Measured cell) {
    return Summary.ofElapsed(cell).spread();
  }

  private static String percent(double part) {
    return Math.round(part * 100) + " %";
  }
}

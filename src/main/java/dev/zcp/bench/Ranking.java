package dev.zcp.bench;

import dev.zcp.report.Table;
import java.util.List;

/// Who won in a group, and who cannot be told from the winner.
final class Ranking {

  /// With fewer runs the middle half of them is next to nothing, and so is what it says of chance.
  static final int RUNS_MIN = 4;

  enum Standing {
    /// Its median is the lowest.
    FASTEST,
    /// The difference to the fastest may be chance.
    WITHIN_NOISE,
    SLOWER,
    /// There was nothing to compare it with.
    ALONE;

    Table.Mark mark(boolean unicode) {
      return switch (this) {
        case FASTEST -> new Table.Mark("*", "fastest", "fastest");
        case WITHIN_NOISE -> new Table.Mark(unicode ? "≈" : "~", "near", "≈ as fast");
        case SLOWER, ALONE -> Table.Mark.NONE;
      };
    }
  }

  private final List<CellResult.Measurement> cells;
  private final CellResult.Measurement winner;

  Ranking(BenchResult.Group group) {
    cells = group.measured();
    CellResult.Measurement best = null;
    for (CellResult.Measurement cell : cells) {
      if (best == null || cell.elapsed().median() < best.elapsed().median()) {
        best = cell;
      }
    }
    winner = best;
  }

  /// Null if nothing was measured.
  CellResult.Measurement winner() {
    return winner;
  }

  Standing of(CellResult.Measurement cell) {
    if (cells.size() < 2) {
      return Standing.ALONE;
    }
    // The very cell, not an equal one: a plan may hold a cell twice.
    if (cell == winner) {
      return Standing.FASTEST;
    }
    return cell.elapsed().isWithinNoiseOf(winner.elapsed())
        ? Standing.WITHIN_NOISE
        : Standing.SLOWER;
  }

  /// The median in parts of the winner's, at least 1; NaN if the winner took no time.
  double ratio(CellResult.Measurement cell) {
    double best = winner.elapsed().median();
    return best <= 0 ? Double.NaN : cell.elapsed().median() / best;
  }
}

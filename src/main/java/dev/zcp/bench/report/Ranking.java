package dev.zcp.bench.report;

import dev.zcp.bench.result.Summary;
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
    ALONE
  }

  private final List<Row.Measured> rows;
  private final Row.Measured winner;

  private Ranking(List<Row.Measured> rows, Row.Measured winner) {
    this.rows = rows;
    this.winner = winner;
  }

  static Ranking of(Sheet.Group group) {
    List<Row.Measured> rows = group.measured();
    Row.Measured winner = null;
    for (Row.Measured row : rows) {
      if (winner == null || row.elapsed().median() < winner.elapsed().median()) {
        winner = row;
      }
    }
    return new Ranking(rows, winner);
  }

  /// Null where nothing was measured.
  Row.Measured winner() {
    return winner;
  }

  Standing of(Row.Measured row) {
    if (rows.size() < 2) {
      return Standing.ALONE;
    }
    // The very row, not an equal one: a plan may hold a cell twice.
    if (row == winner) {
      return Standing.FASTEST;
    }
    return row.elapsed().isWithinNoiseOf(winner.elapsed())
        ? Standing.WITHIN_NOISE
        : Standing.SLOWER;
  }

  /// The median in parts of the winner's, at least 1; NaN where the winner took no time.
  double ratio(Row.Measured row) {
    Summary best = winner.elapsed();
    return best.median() <= 0 ? Double.NaN : row.elapsed().median() / best.median();
  }

  /// Whether a cell had too few runs to tell differences from chance.
  static boolean hasFewRuns(List<Row.Measured> rows) {
    return rows.stream().anyMatch(row -> row.samplesNs().size() < RUNS_MIN);
  }
}

package dev.zcp.bench.report;

import dev.zcp.bench.plan.Cell;
import dev.zcp.core.Width;
import java.util.List;

/// Names and classes that charts and tables of the page share.
final class PageWords {

  /// A longer one would run into the figure beside it on a telephone; the table has it whole.
  private static final int LABEL_COLUMNS_MAX = 24;

  /// How the runs were made, for whoever reads the page without the manual.
  static final String METHOD =
      "Each cell is one way of doing the same work. Cells took turns in random order, the order"
          + " being made from the seed, so that whatever changed on the machine changed for all of"
          + " them. The first run of a cell is shown apart; then it was run until it got no faster,"
          + " and from there on runs count. Every run was checked: a written file was compared in"
          + " full; of bytes that ended in memory or at the other end of a connection a timed run"
          + " counted all and looked at one of each 4096, and one run apart looked at all. A cell"
          + " that failed a check has no time. Figures are medians of"
          + " the runs that count, those of processor time means. Where the middle halves of two"
          + " cells' runs overlap, their difference may be chance, and the page says so. Times of"
          + " the processor, calls, switches and faults are those of the thread that moved the"
          + " bytes.";

  private PageWords() {}

  /// `direct 512K cold`
  static String label(Cell cell, List<Trait> traits) {
    return Width.cutMiddle(
        String.join(" ", Trait.tellApart(cell, traits)), LABEL_COLUMNS_MAX, true);
  }

  static String mark(Ranking.Standing standing) {
    return switch (standing) {
      case FASTEST -> "fastest";
      case WITHIN_NOISE -> "≈ as fast";
      case SLOWER, ALONE -> "";
    };
  }

  /// The class of a row in the style sheet.
  static String kind(Ranking.Standing standing) {
    return switch (standing) {
      case FASTEST -> "fastest";
      case WITHIN_NOISE -> "near";
      case SLOWER, ALONE -> "other";
    };
  }
}

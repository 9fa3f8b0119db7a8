package dev.zcp.report;

import dev.zcp.core.Elapsed;
import dev.zcp.core.Width;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Latencies as a table: a row for each stage, percentiles in columns, two figures of each.
public final class LatencyTable {

  /// Percentiles of fewer samples would be these samples again.
  static final int SAMPLES_MIN = 10;

  /// A person reads no more.
  public static final int STAGES_MAX = 8;

  /// So wide that tables of several runs are alike.
  private static final int STAGE_COLUMNS = 11;

  /// The label of a row with the corrected latencies of the row above.
  static final String CORRECTED = "  corrected";

  private static final int COUNT_COLUMNS = 7;
  private static final int FIGURE_COLUMNS = 6;

  private final List<StageRow> rows;

  /// 0 if the table has no shares.
  private final long elapsedNs;

  private final boolean unicode;

  /// @param side which end of a session it is of; may be empty
  public record StageRow(String label, String side, Latencies latencies) {

    /// `read, sender`; without a side on one machine.
    String name() {
      boolean isLocal = side.isEmpty() || side.equals(WorkSide.LOCAL.word());
      return label.strip() + (isLocal ? "" : ", " + side);
    }
  }

  private enum StageFigure {
    COUNT("count", 0),
    TOTAL("total", 0),
    SHARE("share", 0),
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99),
    P999("p99.9", 99.9),
    MAX("max", 100);

    private final String header;
    private final double percent;

    StageFigure(String header, double percent) {
      this.header = header;
      this.percent = percent;
    }

    private int columns() {
      return this == COUNT ? COUNT_COLUMNS : this == SHARE ? 0 : FIGURE_COLUMNS;
    }
  }

  /// Left out in this order if there is no room.
  private static final List<StageFigure> DISPENSABLE =
      List.of(
          StageFigure.P999,
          StageFigure.P90,
          StageFigure.TOTAL,
          StageFigure.P99,
          StageFigure.COUNT,
          StageFigure.SHARE);

  /// @param elapsedNs the time of the run, of which shares are parts; 0 for a table without shares
  LatencyTable(List<StageRow> rows, long elapsedNs, boolean unicode) {
    this.rows = rows;
    this.elapsedNs = elapsedNs;
    this.unicode = unicode;
  }

  /// Of several runs, without shares.
  public LatencyTable(Map<Stage, Latencies> stages, boolean unicode) {
    this(rows(stages, WorkSide.LOCAL, false), 0, unicode);
  }

  /// @param correctedToo whether a stage that a limit of the rate paces has a second row
  static List<StageRow> rows(Map<Stage, Latencies> stages, WorkSide side, boolean correctedToo) {
    List<StageRow> rows = new ArrayList<>();
    for (Map.Entry<Stage, Latencies> stage : stages.entrySet()) {
      rows.add(new StageRow(stage.getKey().label(side), side.word(), stage.getValue()));
      Latencies corrected = correctedToo ? stage.getValue().corrected() : null;
      if (corrected != null) {
        rows.add(new StageRow(CORRECTED, side.word(), corrected));
      }
    }
    return rows;
  }

  /// Without figures that do not fit, the least important first.
  ///
  /// @param stagesMax how many stages; those that took less time in all are left out
  public List<String> lines(int columnsMax, int stagesMax) {
    List<StageRow> shown = longest(stagesMax);
    List<StageFigure> figures = figures();
    List<String> lines = table(shown, figures).lines(columnsMax);
    for (StageFigure each : DISPENSABLE) {
      if (lines.stream().mapToInt(Width::of).max().orElse(0) <= columnsMax) {
        break;
      }
      figures.remove(each);
      lines = table(shown, figures).lines(columnsMax);
    }
    return lines;
  }

  void write(HtmlPage to, String caption) {
    table(rows, figures()).write(to, caption);
  }

  private List<StageFigure> figures() {
    List<StageFigure> figures = new ArrayList<>(List.of(StageFigure.values()));
    if (elapsedNs <= 0) {
      figures.remove(StageFigure.SHARE);
    }
    return figures;
  }

  private Table table(List<StageRow> shown, List<StageFigure> figures) {
    boolean hasSides = rows.stream().map(StageRow::side).distinct().count() > 1;
    Table table = new Table().left(STAGE_COLUMNS, "latency");
    if (hasSides) {
      table.left("side");
    }
    for (StageFigure figure : figures) {
      table.right(figure.columns(), figure.header);
    }
    for (StageRow row : shown) {
      List<String> cells = new ArrayList<>();
      cells.add(row.label());
      if (hasSides) {
        cells.add(row.side());
      }
      for (StageFigure figure : figures) {
        boolean isTotalTold = figures.contains(StageFigure.TOTAL) && isSum(row.latencies());
        cells.add(cell(figure, row.latencies(), isTotalTold));
      }
      table.row(cells);
    }
    return table;
  }

  /// One sample is told once: its time is the total, and if there is no room for that the greatest.
  private String cell(StageFigure figure, Latencies latencies, boolean hasTotal) {
    if (figure == StageFigure.COUNT) {
      return Long.toString(latencies.count());
    }
    if (figure == StageFigure.TOTAL) {
      return isSum(latencies) ? time(latencies.totalNs(), unicode) : "-";
    }
    if (figure == StageFigure.SHARE) {
      double share = (double) latencies.busiestNs() / elapsedNs;
      return latencies.busiestNs() == 0 ? "-" : Math.round(100 * Math.min(1, share)) + "%";
    }
    return figure == StageFigure.MAX && (latencies.count() > 1 || !hasTotal)
        ? time(latencies.maxNs(), unicode)
        : percentile(latencies, figure.percent, unicode);
  }

  /// Whether the samples add up. Those of files that are under way together overlap, and so their
  /// sum is no time that anything took.
  private boolean isSum(Latencies latencies) {
    return elapsedNs <= 0 || latencies.busiestNs() != 0;
  }

  private List<StageRow> longest(int stagesMax) {
    // Not by Comparator.comparingLong: no AOT cache holds its serializable lambda.
    List<StageRow> sorted = new ArrayList<>(rows);
    sorted.sort((a, b) -> Long.compare(b.latencies().totalNs(), a.latencies().totalNs()));
    List<StageRow> longest = sorted.subList(0, Math.min(stagesMax, sorted.size()));
    // By identity: a record makes its equals at the first use, for milliseconds.
    return rows.stream().filter(row -> longest.stream().anyMatch(each -> each == row)).toList();
  }

  /// `-` if there are too few samples.
  static String percentile(Latencies latencies, double percent, boolean unicode) {
    return hasPercentile(latencies, percent) ? time(latencies.percentileNs(percent), unicode) : "-";
  }

  /// Whether at least one sample lies beyond it.
  static boolean hasPercentile(Latencies latencies, double percent) {
    return latencies.count() >= Math.max(SAMPLES_MIN, Math.round(100 / (100 - percent)));
  }

  /// A point of time, as ISO 8601 has it: `2026-11-23T21:15:03.250Z`. Not by Instant, which would
  /// load a formatter.
  static String moment(long epochMs) {
    int ns = (int) Math.floorMod(epochMs, 1000L) * 1_000_000;
    return LocalDateTime.ofEpochSecond(Math.floorDiv(epochMs, 1000L), ns, ZoneOffset.UTC) + "Z";
  }

  static String time(long elapsedNs, boolean unicode) {
    String text = new Elapsed(elapsedNs).brief();
    return unicode ? text : text.replace('µ', 'u');
  }
}

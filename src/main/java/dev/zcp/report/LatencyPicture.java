package dev.zcp.report;

import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The latencies of all stages as a picture: a row of bars a stage, all over one logarithmic axis
/// of time, so that stages can be compared by looking down and one stage's tail is seen to its
/// right. A row's tallest bar is its most frequent latency; any sample at all shows at least the
/// lowest bar.
final class LatencyPicture {

  private static final int STAGE_COLUMNS = 12;

  /// More would only be emptier.
  private static final int PLOT_COLUMNS_MAX = 60;

  private static final int PLOT_COLUMNS_MIN = 20;

  /// What the stage and the last label of the axis take.
  private static final int MARGIN_COLUMNS = 20;

  /// A decade in more columns than this would show each latency as an island.
  private static final int DECADE_COLUMNS_MAX = 20;

  /// What the longest label, `1000 s`, needs with a space around it.
  private static final int TICK_COLUMNS_MIN = 8;

  private static final String UNICODE_BARS = "▁▂▃▄▅▆▇█";
  private static final String ASCII_BARS = ".:-=+*#@";

  private final Map<Stage, Latencies> stages;
  private final WorkSide side;
  private final boolean unicode;
  private final int firstDecade;
  private final int decades;
  private final int decadeColumns;

  private LatencyPicture(
      Map<Stage, Latencies> stages, WorkSide side, boolean unicode, int columns) {
    long minNs = Long.MAX_VALUE;
    long maxNs = 1;
    for (Latencies latencies : stages.values()) {
      minNs = Math.min(minNs, latencies.minNs());
      maxNs = Math.max(maxNs, latencies.maxNs());
    }
    this.stages = stages;
    this.side = side;
    this.unicode = unicode;
    firstDecade = decade(minNs);
    decades = decade(maxNs) + 1 - firstDecade;
    int plot = Math.clamp(columns - MARGIN_COLUMNS, PLOT_COLUMNS_MIN, PLOT_COLUMNS_MAX);
    decadeColumns = Math.clamp(plot / decades, 1, DECADE_COLUMNS_MAX);
  }

  /// @param columns how wide the screen is
  static List<String> lines(
      Map<Stage, Latencies> stages, WorkSide side, boolean unicode, int columns) {
    return new LatencyPicture(stages, side, unicode, columns).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(axis());
    long[] boundsNs = boundsNs();
    for (Map.Entry<Stage, Latencies> stage : stages.entrySet()) {
      StringBuilder row = new StringBuilder();
      String label = stage.getKey().label(side);
      row.append(label).repeat(' ', STAGE_COLUMNS - label.length());
      bars(row, stage.getValue().countsBetween(boundsNs));
      lines.add(row.toString());
    }
    return lines;
  }

  private String axis() {
    StringBuilder axis = new StringBuilder();
    for (int decade = 0; decade <= decades; decade += tickDecades()) {
      axis.repeat(' ', STAGE_COLUMNS + decade * decadeColumns - axis.length());
      axis.append(label(firstDecade + decade));
    }
    return axis.toString();
  }

  private void bars(StringBuilder row, long[] counts) {
    String bars = unicode ? UNICODE_BARS : ASCII_BARS;
    char grid = unicode ? '┊' : '|';
    int tickColumns = tickDecades() * decadeColumns;
    long most = 1;
    for (long count : counts) {
      most = Math.max(most, count);
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        double share = (double) counts[i] / most;
        row.append(bars.charAt((int) Math.ceil(share * bars.length()) - 1));
      } else {
        row.append(i % tickColumns == 0 ? grid : ' ');
      }
    }
    row.append(counts.length % tickColumns == 0 ? grid : ' ');
    row.setLength(row.toString().stripTrailing().length());
  }

  private int tickDecades() {
    return (TICK_COLUMNS_MIN + decadeColumns - 1) / decadeColumns;
  }

  private long[] boundsNs() {
    long[] boundsNs = new long[decades * decadeColumns + 1];
    for (int i = 0; i < boundsNs.length; i++) {
      boundsNs[i] = Math.round(Math.pow(10, firstDecade + (double) i / decadeColumns));
    }
    if (firstDecade == 0) {
      boundsNs[0] = 0;
    }
    return boundsNs;
  }

  /// The power of ten at or below `ns`; 0 for 0.
  private static int decade(long ns) {
    return Long.toString(ns).length() - 1;
  }

  /// `1 ns`, `10 ns`, ... `1000 s`, for a power of ten.
  private String label(int decade) {
    String[] units = {"ns", unicode ? "µs" : "us", "ms", "s"};
    int unit = Math.min(decade / 3, units.length - 1);
    return "1" + "0".repeat(decade - 3 * unit) + " " + units[unit];
  }
}

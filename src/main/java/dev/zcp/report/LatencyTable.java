package dev.zcp.report;

import dev.zcp.core.Elapsed;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The latencies of all stages as a table: a row a stage, the percentiles in columns.
final class LatencyTable {

  private static final int STAGE_COLUMNS = 10;
  private static final int COUNT_COLUMNS = 10;
  private static final int TIME_COLUMNS = 10;

  private LatencyTable() {}

  static List<String> lines(Map<Stage, Latencies> stages, boolean unicode) {
    List<String> lines = new ArrayList<>();
    StringBuilder header = new StringBuilder();
    left(header, "latency", STAGE_COLUMNS);
    right(header, "count", COUNT_COLUMNS);
    for (String column : new String[] {"min", "p50", "p90", "p99", "p99.9", "max"}) {
      right(header, column, TIME_COLUMNS);
    }
    lines.add(header.toString());
    for (Map.Entry<Stage, Latencies> stage : stages.entrySet()) {
      Latencies latencies = stage.getValue();
      StringBuilder row = new StringBuilder();
      left(row, stage.getKey().label(), STAGE_COLUMNS);
      right(row, Long.toString(latencies.count()), COUNT_COLUMNS);
      time(row, latencies.minNs(), unicode);
      time(row, latencies.percentileNs(50), unicode);
      time(row, latencies.percentileNs(90), unicode);
      time(row, latencies.percentileNs(99), unicode);
      time(row, latencies.percentileNs(99.9), unicode);
      time(row, latencies.maxNs(), unicode);
      lines.add(row.toString());
    }
    return lines;
  }

  private static void time(StringBuilder row, long elapsedNs, boolean unicode) {
    String text = new Elapsed(elapsedNs).toString();
    right(row, unicode ? text : text.replace('µ', 'u'), TIME_COLUMNS);
  }

  static void left(StringBuilder row, String text, int columns) {
    row.append(text).repeat(' ', Math.max(0, columns - text.length()));
  }

  static void right(StringBuilder row, String text, int columns) {
    row.repeat(' ', Math.max(0, columns - text.length())).append(text);
  }
}

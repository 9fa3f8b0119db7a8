package dev.zcp.report;

import dev.zcp.core.Elapsed;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The latencies of all stages as a table: a row a stage, the percentiles in columns.
final class LatencyTable {

  static final int STAGE_COLUMNS = 10;

  private static final int COLUMNS = 80;
  private static final int FIGURE_COLUMNS = 8;

  private LatencyTable() {}

  static List<String> lines(Map<Stage, Latencies> stages, boolean unicode) {
    Table table = new Table().left(STAGE_COLUMNS, "latency");
    table.right(FIGURE_COLUMNS, "count", "min", "p50", "p90", "p99", "p99.9", "max");
    for (Map.Entry<Stage, Latencies> stage : stages.entrySet()) {
      Latencies latencies = stage.getValue();
      List<String> cells = new ArrayList<>();
      cells.add(stage.getKey().label());
      cells.add(Long.toString(latencies.count()));
      cells.add(time(latencies.minNs(), unicode));
      for (double percent : new double[] {50, 90, 99, 99.9}) {
        cells.add(time(latencies.percentileNs(percent), unicode));
      }
      cells.add(time(latencies.maxNs(), unicode));
      table.row(cells);
    }
    return table.lines(COLUMNS);
  }

  private static String time(long elapsedNs, boolean unicode) {
    String text = new Elapsed(elapsedNs).toString();
    return unicode ? text : text.replace('µ', 'u');
  }
}

package dev.zcp.report;

import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A result as metrics of its last run, for the textfile collector of Prometheus' node_exporter.
/// The text is valid in Prometheus' format and in OpenMetrics 1.0. All names begin with `zcp_`, and
/// all samples have the label `command`. Metrics are kept from release to release; new ones may be
/// added.
public final class Metrics {

  private static final double NS_PER_SECOND = 1e9;

  /// The upper bounds of the buckets: 1, 2.5 and 5 of each decade from 1 µs to 100 s.
  private static final long[] BOUNDS_NS = boundsNs();

  private final StringBuilder text = new StringBuilder();
  private final String command;

  private Metrics(String command) {
    this.command = "command=\"" + command + "\"";
  }

  /// @param endedMs when the run ended, in milliseconds since 1970
  public static byte[] of(Result result, long endedMs) {
    Metrics metrics = new Metrics(result.command());
    metrics.write(result, endedMs);
    return metrics.text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void write(Result result, long endedMs) {
    gauge("exit_code", "What the last run returned.", result.exitCode().number());
    gauge("end_time_seconds", "When the last run ended, since 1970.", seconds(endedMs * 1_000_000));
    gauge("duration_seconds", "How long the last run took.", seconds(result.elapsedNs()));
    gauge("files", "Files that the last run completed.", result.filesDone());
    gauge("files_failed", "Entries that the last run could not complete.", result.filesFailed());
    gauge("bytes", "Bytes that the last run moved.", result.bytes());
    family(
        "operation_duration_seconds", "histogram", "How long the operations of each stage took.");
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      histogram(stage.getKey().word(), stage.getValue());
    }
    text.append("# EOF\n");
  }

  private void gauge(String name, String help, Object value) {
    family(name, "gauge", help);
    text.append("zcp_").append(name).append('{').append(command).append("} ").append(value);
    text.append('\n');
  }

  private void family(String name, String type, String help) {
    text.append("# HELP zcp_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE zcp_").append(name).append(' ').append(type).append('\n');
  }

  private void histogram(String stage, Latencies latencies) {
    String labels = command + ",stage=\"" + stage + '"';
    long[] counts = latencies.countsUpTo(BOUNDS_NS);
    for (int i = 0; i < BOUNDS_NS.length; i++) {
      sample("bucket", labels + ",le=\"" + seconds(BOUNDS_NS[i]) + '"', counts[i]);
    }
    sample("bucket", labels + ",le=\"+Inf\"", latencies.count());
    sample("sum", labels, seconds(latencies.totalNs()));
    sample("count", labels, latencies.count());
  }

  private void sample(String part, String labels, Object value) {
    text.append("zcp_operation_duration_seconds_").append(part).append('{').append(labels);
    text.append("} ").append(value).append('\n');
  }

  private static long[] boundsNs() {
    long[] boundsNs = new long[25];
    for (int i = 0; i < boundsNs.length; i++) {
      double step = i % 3 == 0 ? 1 : i % 3 == 1 ? 2.5 : 5;
      boundsNs[i] = Math.round(1_000 * Math.pow(10, i / 3) * step);
    }
    return boundsNs;
  }

  private static double seconds(long ns) {
    return ns / NS_PER_SECOND;
  }
}

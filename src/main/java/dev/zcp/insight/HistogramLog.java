package dev.zcp.insight;

import dev.zcp.insight.Latencies.Clock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/// The histograms of a result in HdrHistogram's own two formats, which its tools read.
public final class HistogramLog {

  /// The ending of a file that shall hold percentile distributions, not a log.
  private static final String PERCENTILES_ENDING = ".hgrm";

  private static final String LEGEND =
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";

  private static final double NS_PER_US = 1e3;
  private static final int TICKS_PER_HALF_DISTANCE = 5;

  private HistogramLog() {}

  /// The percentile distributions if `file` ends in `.hgrm`, else the log.
  public static byte[] of(Result result, Path file) {
    return file.toString().endsWith(PERCENTILES_ENDING)
        ? percentiles(result)
        : log(result).getBytes(StandardCharsets.UTF_8);
  }

  /// The log (`.hlog`): one interval histogram for each stage, tagged with the stage's word, and
  /// that of whole files once more without a tag: HdrHistogram's log processor ends with a
  /// NullPointerException if it is given no tag and finds nothing without one. Values are in
  /// nanoseconds; the column of the maximum is in milliseconds, as the format has it. It is not
  /// written by the library, for the reason that [CompressedHistogram] gives.
  private static String log(Result result) {
    StringBuilder text = new StringBuilder("#[zcp ").append(result.command());
    text.append(", strategy ").append(result.strategyAsked()).append("]\n");
    text.append("#[Histogram log format version 1.3]\n");
    Clock first = null;
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      Latencies latencies = stage.getValue();
      Clock clock = latencies.clock();
      if (first == null) {
        first = clock;
        text.append("#[StartTime: ").append(thousandths(first.startedMs()));
        text.append(" (seconds since epoch), ").append(Instant.ofEpochMilli(first.startedMs()));
        text.append("]\n").append(LEGEND);
      }
      text.append("Tag=").append(stage.getKey().word()).append(',');
      interval(latencies, first, text);
    }
    Latencies files = result.stages().get(Stage.FILE);
    if (first != null) {
      interval(files == null ? result.stages().values().iterator().next() : files, first, text);
    }
    return text.toString();
  }

  private static void interval(Latencies latencies, Clock first, StringBuilder text) {
    Clock clock = latencies.clock();
    text.append(thousandths(clock.startedMs() - first.startedMs()));
    text.append(',').append(thousandths(clock.endedMs() - clock.startedMs()));
    text.append(',').append(thousandths(Math.round(latencies.maxNs() / NS_PER_US)));
    text.append(',').append(latencies.encoded()).append('\n');
  }

  /// The thousandth part of `count`, with three decimals. What is negative, since the clock was set
  /// back, counts as 0.
  private static String thousandths(long count) {
    long told = Math.max(0, count);
    return told / 1000 + "." + Long.toString(1000 + told % 1000).substring(1);
  }

  /// The percentile distribution of each stage, in microseconds, below a line that names it.
  private static byte[] percentiles(Result result) {
    // Text in memory, since a PrintStream hides the failures of what is below it.
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(text, true, StandardCharsets.UTF_8);
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      print.print("#[stage: " + stage.getKey().word() + ", in microseconds]\n");
      stage
          .getValue()
          .histogram()
          .outputPercentileDistribution(print, TICKS_PER_HALF_DISTANCE, NS_PER_US);
      print.print('\n');
    }
    print.flush();
    return text.toByteArray();
  }
}

package dev.zcp.insight;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// Writes the histograms of a result in HdrHistogram's own two formats, which its tools read.
public final class HistogramLog {

  /// The ending of a file that shall hold percentile distributions, not a log.
  private static final String PERCENTILES_ENDING = ".hgrm";

  private static final double NS_PER_US = 1e3;
  private static final int TICKS_PER_HALF_DISTANCE = 5;

  private HistogramLog() {}

  /// Writes `file`, or replaces what is in it: the percentile distributions if its name ends in
  /// `.hgrm`, else the log.
  ///
  /// @throws IOException if it cannot be written; the transfer stands all the same
  public static void write(Result result, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      if (file.toString().endsWith(PERCENTILES_ENDING)) {
        writePercentiles(result, out);
      } else {
        writeLog(result, out);
      }
    }
  }

  /// Writes the log (`.hlog`): one interval histogram for each stage, tagged with the stage's word.
  /// Values are in nanoseconds; the column of the maximum is in milliseconds, as the format has it.
  public static void writeLog(Result result, OutputStream out) throws IOException {
    // A PrintStream hides the failures of what is below it, so nothing that can fail is below it.
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    HistogramLogWriter writer = new HistogramLogWriter(print(text));
    writer.outputComment("[zcp " + result.command() + ", strategy " + result.strategyAsked() + "]");
    writer.outputLogFormatVersion();
    boolean begun = false;
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      Histogram histogram = stage.getValue().histogram();
      histogram.setTag(stage.getKey().word());
      if (!begun) {
        begun = true;
        writer.outputStartTime(histogram.getStartTimeStamp());
        writer.setBaseTime(histogram.getStartTimeStamp());
        writer.outputLegend();
      }
      writer.outputIntervalHistogram(histogram);
    }
    text.writeTo(out);
  }

  /// Writes the percentile distribution of each stage, in microseconds, below a line that names it.
  public static void writePercentiles(Result result, OutputStream out) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream print = print(text);
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      print.print("#[stage: " + stage.getKey().word() + ", in microseconds]\n");
      stage
          .getValue()
          .histogram()
          .outputPercentileDistribution(print, TICKS_PER_HALF_DISTANCE, NS_PER_US);
      print.print('\n');
    }
    print.flush();
    text.writeTo(out);
  }

  private static PrintStream print(OutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}

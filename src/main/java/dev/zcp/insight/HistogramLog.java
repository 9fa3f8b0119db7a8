package dev.zcp.insight;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// The histograms of a result in HdrHistogram's own two formats, which its tools read.
public final class HistogramLog {

  /// The ending of a file that shall hold percentile distributions, not a log.
  private static final String PERCENTILES_ENDING = ".hgrm";

  private static final double NS_PER_US = 1e3;
  private static final int TICKS_PER_HALF_DISTANCE = 5;

  private HistogramLog() {}

  /// The percentile distributions if `file` ends in `.hgrm`, else the log.
  public static byte[] of(Result result, Path file) {
    // Text in memory, since a PrintStream hides the failures of what is below it.
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    if (file.toString().endsWith(PERCENTILES_ENDING)) {
      writePercentiles(result, print(text));
    } else {
      writeLog(result, print(text));
    }
    return text.toByteArray();
  }

  /// Writes the log (`.hlog`): one interval histogram for each stage, tagged with the stage's word.
  /// Values are in nanoseconds; the column of the maximum is in milliseconds, as the format has it.
  private static void writeLog(Result result, PrintStream print) {
    HistogramLogWriter writer = new HistogramLogWriter(print);
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
    print.flush();
  }

  /// Writes the percentile distribution of each stage, in microseconds, below a line that names it.
  private static void writePercentiles(Result result, PrintStream print) {
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      print.print("#[stage: " + stage.getKey().word() + ", in microseconds]\n");
      stage
          .getValue()
          .histogram()
          .outputPercentileDistribution(print, TICKS_PER_HALF_DISTANCE, NS_PER_US);
      print.print('\n');
    }
    print.flush();
  }

  private static PrintStream print(OutputStream out) {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }
}

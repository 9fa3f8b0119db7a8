package dev.zcp.report;

import dev.zcp.core.Scale;
import dev.zcp.insight.HeatMap.HeatCounts;
import dev.zcp.report.Throughput.Course;
import java.util.Arrays;

/// Pictures over the time of a run: a bar for each step with the bytes of it, as a rate or as a
/// sum, or a field for each step and each row of latencies that has samples.
final class CourseChart {

  private static final int TOP_PX = 20;
  private static final int PLOT_PX = 160;
  private static final int END_PX = TOP_PX + PLOT_PX;
  private static final int TICKS_MAX = 4;
  private static final int HEAT_ROW_PX = 14;

  /// Two labels below each other need so many rows.
  private static final int HEAT_LABEL_ROWS = 2;

  /// How many shades the style sheet has.
  private static final int SHADES = 5;

  private CourseChart() {}

  /// What was moved in each step, as a rate, and what this end sent or received.
  static void writeRates(HtmlPage to, Course course, SavedRun run) {
    double[] moved = rates(course, course.bytes(), run);
    boolean isCarried = course.bytesCarried() != null;
    double[] carried = isCarried ? rates(course, course.bytesCarried(), run) : new double[0];
    String title = "Bytes per second over the time of the run";
    write(to, course, run, title, "/s", moved, carried);
  }

  /// What was moved and what was durable at the end of each step.
  static void writeSums(HtmlPage to, Course course, SavedRun run) {
    double[] moved = Arrays.stream(course.bytes()).asDoubleStream().toArray();
    double[] durable = Arrays.stream(course.bytesDurable()).asDoubleStream().toArray();
    String title = "Bytes that were moved, and those on the device, over the time of the run";
    write(to, course, run, title, "", moved, durable);
  }

  /// @param counts of the stage
  static void writeHeat(HtmlPage to, HeatCounts heat, long[] counts, SavedRun run) {
    int rows = heat.fromNs().length;
    int first = rows;
    int end = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        first = Math.min(first, i % rows);
        end = Math.max(end, i % rows + 1);
      }
    }
    int plotPx = (end - first) * HEAT_ROW_PX;
    Plot plot = new Plot(to, axis(run), 0, plotPx, "Latencies over the time of the run");
    long beganNs = run.beganNs();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        double fromNs = beganNs + (double) (i / rows) * heat.stepNs();
        int y = plotPx - (i % rows - first + 1) * HEAT_ROW_PX;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(counts[i]);
        String kind = "heat heat" + Math.min(SHADES, (bits + 1) / 2);
        plot.box(kind, fromNs, fromNs + heat.stepNs(), y, HEAT_ROW_PX);
      }
    }
    for (int row = first; row < end; row += HEAT_LABEL_ROWS) {
      int y = plotPx - (row - first) * HEAT_ROW_PX - 3;
      plot.text("tick", LatencyTable.time(heat.fromNs()[row], true), "0", 0, y, "start");
    }
    plot.close();
  }

  /// Of each step, in bytes a second.
  private static double[] rates(Course course, long[] bytes, SavedRun run) {
    double[] edgesNs = edgesNs(course, run);
    double[] rates = new double[bytes.length];
    for (int i = 0; i < rates.length; i++) {
      long moved = Math.max(0, bytes[i] - (i == 0 ? 0 : bytes[i - 1]));
      double tookNs = edgesNs[i + 1] - edgesNs[i];
      // A rest of a step that is too short to have a rate.
      rates[i] = tookNs < course.stepNs() / 4 ? 0 : moved * 1e9 / tookNs;
    }
    return rates;
  }

  /// @param per follows a number at the left edge, after the unit of bytes
  private static void write(
      HtmlPage to,
      Course course,
      SavedRun run,
      String title,
      String per,
      double[] bars,
      double[] strokes) {
    Plot plot = new Plot(to, axis(run), TOP_PX, END_PX, title);
    double[] edgesNs = edgesNs(course, run);
    double top = Math.max(1, Math.max(highest(bars), highest(strokes))) * 1.05;
    for (int i = 0; i < bars.length; i++) {
      int y = y(bars[i], top);
      if (y < END_PX) {
        plot.box("step", edgesNs[i], edgesNs[i + 1], y, END_PX - y);
      }
    }
    for (int i = 0; i < strokes.length; i++) {
      int y = y(strokes[i], top);
      plot.line("stroke", edgesNs[i], edgesNs[i + 1], y, y);
    }
    to.line();
    writeScale(plot, top, per);
    plot.close();
  }

  /// Above what is drawn, so that it is read.
  ///
  /// @param top what is at the upper edge
  private static void writeScale(Plot plot, double top, String per) {
    Scale scale = Scale.ofRates(top, top);
    double highest = top / scale.size();
    double step = Axis.step(highest, TICKS_MAX / 2.0);
    while (highest / step > TICKS_MAX) {
      step *= 2;
    }
    String unit = scale.unit(true).replace("/s", per);
    for (int i = 1; i * step <= highest; i++) {
      int y = y(i * step * scale.size(), top);
      plot.line("grid over", 0, Plot.RIGHT_NS, y, y);
      plot.text("tick", Scale.plain(i * step) + " " + unit, "0", 0, y - 4, "start");
    }
    plot.line("axis", 0, Plot.RIGHT_NS, END_PX, END_PX);
  }

  private static double highest(double[] of) {
    return Arrays.stream(of).max().orElse(0);
  }

  private static Axis axis(SavedRun run) {
    return Axis.forBars(run.result().elapsedNs(), run.result().elapsedNs());
  }

  /// When each step began, and when the last one ended: with the run.
  private static double[] edgesNs(Course course, SavedRun run) {
    double[] edgesNs = new double[course.bytes().length + 1];
    long beganNs = run.beganNs();
    for (int i = 0; i < edgesNs.length; i++) {
      edgesNs[i] = beganNs + (double) i * course.stepNs();
    }
    edgesNs[edgesNs.length - 1] = run.result().elapsedNs();
    return edgesNs;
  }

  private static int y(double value, double top) {
    return END_PX - (int) Math.round(Math.clamp(value / top, 0, 1) * PLOT_PX);
  }
}

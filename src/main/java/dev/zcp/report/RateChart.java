package dev.zcp.report;

import dev.zcp.core.Scale;
import dev.zcp.report.Throughput.Course;
import java.util.Arrays;

/// Bytes over time, as a rate or as a sum: a bar for each step, as SVG of the same kind as [Chart].
final class RateChart {

  private static final int TOP_PX = 20;
  private static final int PLOT_PX = 160;
  private static final int AXIS_PX = 26;
  private static final int TICK_PX = 5;

  private static final int TICKS_MAX = 4;

  private final HtmlPage to;
  private final Axis axis;
  private final long stepNs;
  private final long elapsedNs;

  /// What is at the upper edge.
  private final double top;

  /// Follows a number at the left edge, after the unit of bytes.
  private final String per;

  private RateChart(HtmlPage to, Course course, long elapsedNs, double highest, String per) {
    this.to = to;
    this.axis = Axis.forBars(elapsedNs, elapsedNs);
    this.stepNs = course.stepNs();
    this.elapsedNs = elapsedNs;
    this.top = Math.max(1, highest) * 1.05;
    this.per = per;
  }

  /// What was moved in each step, as a rate, and what this end sent or received.
  ///
  /// @param elapsedNs when the last step ended
  static void writeRates(HtmlPage to, Course course, long elapsedNs) {
    double[] moved = rates(course.bytes(), course.stepNs(), elapsedNs);
    double[] carried = {};
    if (course.bytesCarried() != null) {
      carried = rates(course.bytesCarried(), course.stepNs(), elapsedNs);
    }
    double highest = Math.max(highest(moved), highest(carried));
    String title = "Bytes per second over the time of the run";
    new RateChart(to, course, elapsedNs, highest, "/s").write(title, moved, carried);
  }

  private static double highest(double[] of) {
    return Arrays.stream(of).max().orElse(0);
  }

  /// What was moved and what was durable at the end of each step.
  static void writeSums(HtmlPage to, Course course, long elapsedNs) {
    double[] moved = Arrays.stream(course.bytes()).asDoubleStream().toArray();
    double[] durable = Arrays.stream(course.bytesDurable()).asDoubleStream().toArray();
    double highest = Math.max(moved[moved.length - 1], durable[durable.length - 1]);
    String title = "Bytes that were moved, and those on the device, over the time of the run";
    new RateChart(to, course, elapsedNs, highest, "").write(title, moved, durable);
  }

  /// Of each step, in bytes a second.
  private static double[] rates(long[] bytes, long stepNs, long elapsedNs) {
    double[] rates = new double[bytes.length];
    for (int i = 0; i < rates.length; i++) {
      long moved = Math.max(0, bytes[i] - (i == 0 ? 0 : bytes[i - 1]));
      long endNs = i == rates.length - 1 ? elapsedNs : (i + 1) * stepNs;
      long tookNs = endNs - i * stepNs;
      // A rest of a step that is too short to have a rate.
      rates[i] = tookNs < stepNs / 4 ? 0 : moved * 1e9 / tookNs;
    }
    return rates;
  }

  private void write(String title, double[] bars, double[] strokes) {
    String height = Integer.toString(TOP_PX + PLOT_PX + AXIS_PX);
    to.open("svg", "xmlns", Chart.SVG, "role", "img", "width", "100%", "height", height);
    to.element("title", title).line();
    for (double tickNs : axis.ticksNs()) {
      double at = axis.percent(tickNs);
      line("grid", at, at, TOP_PX, TOP_PX + PLOT_PX + TICK_PX);
      String anchor = Axis.anchor(at);
      text(Axis.text(tickNs), Axis.percentText(at), TOP_PX + PLOT_PX + AXIS_PX - 7, anchor);
    }
    for (int i = 0; i < bars.length; i++) {
      int y = y(bars[i]);
      double from = axis.percent((double) i * stepNs);
      double width = Math.max(0, axis.percent(endNs(i, bars.length)) - from);
      String tall = Integer.toString(TOP_PX + PLOT_PX - y);
      String top = Integer.toString(y);
      if (y < TOP_PX + PLOT_PX) {
        to.empty(
            "rect",
            "class",
            "step",
            "x",
            Axis.percentText(from),
            "y",
            top,
            "width",
            Axis.percentText(width),
            "height",
            tall);
      }
    }
    for (int i = 0; i < strokes.length; i++) {
      double until = axis.percent(endNs(i, strokes.length));
      int y = y(strokes[i]);
      line("stroke", axis.percent((double) i * stepNs), until, y, y);
    }
    to.line();
    writeScale();
    to.close().line();
  }

  /// Above what is drawn, so that it is read.
  private void writeScale() {
    Scale scale = Scale.ofRates(top, top);
    double highest = top / scale.size();
    double step = Math.pow(10, Math.floor(Math.log10(highest)));
    for (int i = 0; highest / step < TICKS_MAX / 2.0; i++) {
      // 10, 5, 2, 1 ...
      step /= i % 3 == 1 ? 2.5 : 2;
    }
    while (highest / step > TICKS_MAX) {
      step *= 2;
    }
    String unit = scale.unit(true).replace("/s", per);
    for (int i = 1; i * step <= highest; i++) {
      int y = y(i * step * scale.size());
      line("grid over", 0, 100, y, y);
      text(Scale.plain(i * step) + " " + unit, "0", y - 4, "start");
    }
    line("axis", 0, 100, TOP_PX + PLOT_PX, TOP_PX + PLOT_PX);
  }

  private double endNs(int step, int steps) {
    return step == steps - 1 ? elapsedNs : (step + 1.0) * stepNs;
  }

  private int y(double value) {
    return TOP_PX + PLOT_PX - (int) Math.round(Math.clamp(value / top, 0, 1) * PLOT_PX);
  }

  private void text(String text, String x, int y, String anchor) {
    String height = Integer.toString(y);
    to.element("text", text, "class", "tick", "x", x, "y", height, "text-anchor", anchor);
  }

  private void line(String kind, double from, double until, int fromY, int untilY) {
    String y1 = Integer.toString(fromY);
    String y2 = Integer.toString(untilY);
    String x1 = Axis.percentText(from);
    to.empty("line", "class", kind, "x1", x1, "x2", Axis.percentText(until), "y1", y1, "y2", y2);
  }
}

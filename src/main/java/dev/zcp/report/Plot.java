package dev.zcp.report;

import dev.zcp.core.Scale;

/// A picture over an axis of time, as SVG without a view box: across in percent, down in pixels. So
/// text keeps its size however narrow the screen is, and nothing needs a script.
class Plot {

  /// A time at the right edge, whatever the axis.
  static final double RIGHT_NS = Double.MAX_VALUE;

  private static final int AXIS_PX = 26;
  private static final int TICK_PX = 5;

  final HtmlPage to;
  private final Axis axis;

  /// Begins the picture: its grid lies under everything else.
  ///
  /// @param topPx where the grid begins
  /// @param endPx where it ends, above the labels of the axis
  /// @param title what a reader hears who does not see it
  Plot(HtmlPage to, Axis axis, int topPx, int endPx, String title) {
    this.to = to;
    this.axis = axis;
    String svg = "http://www.w3.org/2000/svg";
    to.open("svg", "xmlns", svg, "role", "img", "width", "100%", "height", endPx + AXIS_PX);
    to.element("title", title).line();
    for (double tickNs : axis.ticksNs()) {
      double at = axis.percent(tickNs);
      // So that no label is cut off.
      String anchor = at < 6 ? "start" : at > 94 ? "end" : "middle";
      line("grid", tickNs, tickNs, topPx, endPx + TICK_PX);
      text("tick", Axis.text(tickNs), x(tickNs), 0, endPx + AXIS_PX - 7, anchor);
    }
  }

  public final void close() {
    to.close().line();
  }

  final void line(String kind, double fromNs, double untilNs, int fromY, int untilY) {
    String x = x(fromNs);
    to.empty("line", "class", kind, "x1", x, "x2", x(untilNs), "y1", fromY, "y2", untilY);
  }

  final void box(String kind, double fromNs, double untilNs, int y, int heightPx) {
    String width = percent(Math.max(0, axis.percent(untilNs) - axis.percent(fromNs)));
    String x = x(fromNs);
    to.empty("rect", "class", kind, "x", x, "y", y, "width", width, "height", heightPx);
  }

  /// @param x a share of the width
  /// @param anchor which end of the text stands there
  final void text(String kind, String text, String x, int shiftPx, int y, String anchor) {
    to.element("text", text, "class", kind, "x", x, "dx", shiftPx, "y", y, "text-anchor", anchor);
  }

  final String x(double atNs) {
    return percent(axis.percent(atNs));
  }

  private static String percent(double percent) {
    return Scale.decimal(percent, 3) + "%";
  }
}

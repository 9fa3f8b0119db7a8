package dev.zcp.bench.report;

import java.util.Locale;

/// Rows over one axis of time, as SVG without a view box: across in percent, down in pixels. So
/// text keeps its size however narrow the screen is, and nothing needs a script.
///
/// A row has its label above what is drawn, the figure at the right end of that line.
final class Chart {

  private static final int LABEL_PX = 15;
  private static final int DRAWN_PX = 20;
  private static final int ROW_GAP_PX = 13;
  private static final int AXIS_PX = 26;
  private static final int TICK_PX = 5;

  private final Markup to;
  private final Axis axis;
  private final int plotPx;
  private int rowTopPx;

  private Chart(Markup to, Axis axis, int rows) {
    this.to = to;
    this.axis = axis;
    this.plotPx = rows * (LABEL_PX + DRAWN_PX + ROW_GAP_PX);
  }

  /// Begins the picture: its grid lies under everything else.
  ///
  /// @param title what a reader hears who does not see it
  static Chart open(Markup to, Axis axis, int rows, String title) {
    Chart chart = new Chart(to, axis, rows);
    to.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "role",
        "img",
        "width",
        "100%",
        "height",
        Integer.toString(chart.plotPx + AXIS_PX));
    to.element("title", title).line();
    for (double tickNs : axis.ticksNs()) {
      double at = axis.percent(tickNs);
      to.empty(
          "line",
          "class",
          "grid",
          "x1",
          percent(at),
          "x2",
          percent(at),
          "y1",
          "0",
          "y2",
          Integer.toString(chart.plotPx + TICK_PX));
      String anchor = at < 6 ? "start" : at > 94 ? "end" : "middle";
      to.element(
          "text",
          Axis.text(tickNs),
          "class",
          "tick",
          "x",
          percent(at),
          "y",
          Integer.toString(chart.plotPx + AXIS_PX - 7),
          "text-anchor",
          anchor);
    }
    to.line();
    return chart;
  }

  /// Ends the picture.
  void close() {
    to.close().line();
  }

  /// Begins the next row.
  ///
  /// @param mark what is special about it, or empty
  /// @param kind of the row, a class of the style sheet
  Chart row(String label, String mark, String figure, String kind) {
    to.open("g", "class", kind);
    String baseline = Integer.toString(rowTopPx + LABEL_PX - 3);
    to.open("text", "class", "label", "x", "0", "y", baseline).text(label);
    if (!mark.isEmpty()) {
      to.element("tspan", " " + mark, "class", "mark");
    }
    to.close();
    to.element("text", figure, "class", "figure", "x", "100%", "y", baseline, "text-anchor", "end");
    return this;
  }

  /// Ends the row.
  void end() {
    to.close().line();
    rowTopPx += LABEL_PX + DRAWN_PX + ROW_GAP_PX;
  }

  /// From the left edge to a time.
  ///
  /// @param topPx from 0, and with the height within [#DRAWN_PX]
  Chart bar(double toNs, int topPx, int heightPx, String kind) {
    to.empty(
        "rect",
        "class",
        kind,
        "x",
        "0",
        "y",
        Integer.toString(drawnTop() + topPx),
        "width",
        percent(axis.percent(toNs)),
        "height",
        Integer.toString(heightPx),
        "rx",
        "2");
    return this;
  }

  Chart span(double fromNs, double toNs, int yPx, String kind) {
    String y = Integer.toString(drawnTop() + yPx);
    to.empty(
        "line",
        "class",
        kind,
        "x1",
        percent(axis.percent(fromNs)),
        "x2",
        percent(axis.percent(toNs)),
        "y1",
        y,
        "y2",
        y);
    return this;
  }

  /// An upright stroke at a time.
  Chart stroke(double atNs, int topPx, int heightPx, String kind) {
    String x = percent(axis.percent(atNs));
    to.empty(
        "line",
        "class",
        kind,
        "x1",
        x,
        "x2",
        x,
        "y1",
        Integer.toString(drawnTop() + topPx),
        "y2",
        Integer.toString(drawnTop() + topPx + heightPx));
    return this;
  }

  Chart dot(double atNs, int yPx, double radiusPx, String kind) {
    to.empty(
        "circle",
        "class",
        kind,
        "cx",
        percent(axis.percent(atNs)),
        "cy",
        Integer.toString(drawnTop() + yPx),
        "r",
        Double.toString(radiusPx));
    return this;
  }

  private int drawnTop() {
    return rowTopPx + LABEL_PX + 2;
  }

  private static String percent(double percent) {
    return String.format(Locale.ROOT, "%.3f%%", percent);
  }
}

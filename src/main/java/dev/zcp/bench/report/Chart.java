package dev.zcp.bench.report;

import java.util.Locale;

/// Rows over one axis of time, as SVG without a view box: across in percent, down in pixels. So
/// text keeps its size however narrow the screen is, and nothing needs a script.
///
/// A row has its label above what is drawn, the figure at the right end of that line.
final class Chart {

  private static final int HEADS_PX = 18;
  private static final int LABEL_PX = 15;
  private static final int DRAWN_PX = 20;
  private static final int ROW_GAP_PX = 13;
  private static final int AXIS_PX = 26;
  private static final int TICK_PX = 5;
  private static final int FIGURE_PX = 66;

  private final Markup to;
  private final Axis axis;
  private final int plotPx;
  private int rowTopPx;

  private Chart(Markup to, Axis axis, int rows) {
    this.to = to;
    this.axis = axis;
    this.rowTopPx = HEADS_PX;
    this.plotPx = HEADS_PX + rows * (LABEL_PX + DRAWN_PX + ROW_GAP_PX);
  }

  /// Begins the picture: its grid lies under everything else.
  ///
  /// @param title what a reader hears who does not see it
  /// @param heads what the figures at the right end of each row are
  static Chart open(Markup to, Axis axis, int rows, String title, String... heads) {
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
    chart.figures(HEADS_PX - 6, "tick", heads);
    to.line();
    return chart;
  }

  /// Ends the picture.
  void close() {
    to.close().line();
  }

  /// Begins the next row.
  ///
  /// @param kind of the row, a class of the style sheet
  /// @param figures stand at the right end, the last outermost, each below that of the row above
  Chart row(String label, String kind, String... figures) {
    to.open("g", "class", kind);
    String baseline = Integer.toString(rowTopPx + LABEL_PX - 3);
    to.element("text", label, "class", "label", "x", "0", "y", baseline);
    figures(rowTopPx + LABEL_PX - 3, "figure", figures);
    return this;
  }

  private void figures(int baselinePx, String kind, String... figures) {
    for (int i = 0; i < figures.length; i++) {
      to.element(
          "text",
          figures[i],
          "class",
          kind,
          "x",
          "100%",
          "dx",
          Integer.toString((i + 1 - figures.length) * FIGURE_PX),
          "y",
          Integer.toString(baselinePx),
          "text-anchor",
          "end");
    }
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

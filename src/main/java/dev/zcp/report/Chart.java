package dev.zcp.report;

import dev.zcp.insight.Latencies;

/// Rows over one axis of time, as SVG without a view box: across in percent, down in pixels. So
/// text keeps its size however narrow the screen is, and nothing needs a script.
///
/// A row has its label above what is drawn, the figure at the right end of that line.
public final class Chart {

  static final String SVG = "http://www.w3.org/2000/svg";
  private static final int HEADS_PX = 18;
  private static final int LABEL_PX = 15;
  private static final int DRAWN_PX = 20;
  private static final int ROW_GAP_PX = 13;
  private static final int AXIS_PX = 26;
  private static final int TICK_PX = 5;
  private static final int FIGURE_PX = 66;

  private final HtmlPage to;
  private final Axis axis;
  private int rowTopPx = HEADS_PX;

  /// Begins the picture: its grid lies under everything else.
  ///
  /// @param rows how many there will be
  /// @param title what a reader hears who does not see it
  /// @param heads what the figures at the right end of each row are
  public Chart(HtmlPage to, Axis axis, int rows, String title, String... heads) {
    this.to = to;
    this.axis = axis;
    int plotPx = HEADS_PX + rows * (LABEL_PX + DRAWN_PX + ROW_GAP_PX);
    String height = Integer.toString(plotPx + AXIS_PX);
    to.open("svg", "xmlns", SVG, "role", "img", "width", "100%", "height", height);
    to.element("title", title).line();
    for (double tickNs : axis.ticksNs()) {
      double at = axis.percent(tickNs);
      line("grid", Axis.percentText(at), Axis.percentText(at), 0, plotPx + TICK_PX);
      String anchor = Axis.anchor(at);
      text("tick", Axis.text(tickNs), Axis.percentText(at), 0, plotPx + AXIS_PX - 7, anchor);
    }
    figures(HEADS_PX - 6, "tick", heads);
    to.line();
  }

  /// Ends the picture.
  public void close() {
    to.close().line();
  }

  /// Begins the next row.
  ///
  /// @param kind of the row, a class of the style sheet
  /// @param figures stand at the right end, the last outermost, each below that of the row above
  public Chart row(String label, String kind, String... figures) {
    int baselinePx = rowTopPx + LABEL_PX - 3;
    to.open("g", "class", kind);
    text("label", label, "0", 0, baselinePx, "start");
    figures(baselinePx, "figure", figures);
    return this;
  }

  /// Ends the row.
  public void end() {
    to.close().line();
    rowTopPx += LABEL_PX + DRAWN_PX + ROW_GAP_PX;
  }

  /// From the left edge to a time.
  ///
  /// @param topPx from 0, and with the height at most 20
  public Chart bar(double toNs, int topPx, int heightPx, String kind) {
    String y = Integer.toString(drawnTop() + topPx);
    String height = Integer.toString(heightPx);
    String width = Axis.percentText(axis.percent(toNs));
    to.empty("rect", "class", kind, "x", "0", "y", y, "width", width, "height", height, "rx", "2");
    return this;
  }

  /// A line from a time to another.
  public Chart span(double fromNs, double toNs, int yPx, String kind) {
    int y = drawnTop() + yPx;
    line(kind, Axis.percentText(axis.percent(fromNs)), Axis.percentText(axis.percent(toNs)), y, y);
    return this;
  }

  /// An upright stroke at a time.
  public Chart stroke(double atNs, int topPx, int heightPx, String kind) {
    String x = Axis.percentText(axis.percent(atNs));
    line(kind, x, x, drawnTop() + topPx, drawnTop() + topPx + heightPx);
    return this;
  }

  public Chart dot(double atNs, int yPx, double radiusPx, String kind) {
    String x = Axis.percentText(axis.percent(atNs));
    String y = Integer.toString(drawnTop() + yPx);
    to.empty("circle", "class", kind, "cx", x, "cy", y, "r", Double.toString(radiusPx));
    return this;
  }

  /// The percentiles of one row: a large dot for half of all samples, a small one for 90 %, a ring
  /// for 99 %, a small one for 99.9 %, a stroke for the slowest.
  public Chart percentiles(Latencies latencies) {
    long p50Ns = latencies.percentileNs(50);
    return span(p50Ns, latencies.maxNs(), 8, "stem")
        .stroke(latencies.maxNs(), 3, 10, "whisker")
        .dot(latencies.percentileNs(99.9), 8, 3, "ring")
        .dot(latencies.percentileNs(99), 8, 4.5, "ring")
        .dot(latencies.percentileNs(90), 8, 3, "bar")
        .dot(p50Ns, 8, 5, "bar");
  }

  private void figures(int baselinePx, String kind, String... figures) {
    for (int i = 0; i < figures.length; i++) {
      int shiftPx = (i + 1 - figures.length) * FIGURE_PX;
      text(kind, figures[i], "100%", shiftPx, baselinePx, "end");
    }
  }

  private void text(String kind, String text, String x, int shiftPx, int yPx, String anchor) {
    String shift = Integer.toString(shiftPx);
    String y = Integer.toString(yPx);
    to.element("text", text, "class", kind, "x", x, "dx", shift, "y", y, "text-anchor", anchor);
  }

  private void line(String kind, String fromX, String toX, int fromY, int toY) {
    String y1 = Integer.toString(fromY);
    String y2 = Integer.toString(toY);
    to.empty("line", "class", kind, "x1", fromX, "x2", toX, "y1", y1, "y2", y2);
  }

  private int drawnTop() {
    return rowTopPx + LABEL_PX + 2;
  }
}

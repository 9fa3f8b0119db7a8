package dev.zcp.report;

import dev.zcp.core.Width;
import dev.zcp.insight.Latencies;
import java.util.Collection;

/// Rows over one axis of time.
///
/// A row has its label above what is drawn, the figure at the right end of that line.
public final class Chart extends Plot {

  private static final int HEADS_PX = 18;
  private static final int LABEL_PX = 15;
  private static final int DRAWN_PX = 20;
  private static final int ROW_GAP_PX = 13;
  private static final int ROW_PX = LABEL_PX + DRAWN_PX + ROW_GAP_PX;
  private static final int FIGURE_PX = 66;

  /// A longer label would run into the figure beside it on a telephone; the table has it whole.
  private static final int LABEL_COLUMNS_MAX = 24;

  private int rowTopPx = HEADS_PX;

  /// @param rows how many there will be
  /// @param heads what the figures at the right end of each row are
  public Chart(HtmlPage to, Axis axis, int rows, String title, String... heads) {
    super(to, axis, 0, HEADS_PX + rows * ROW_PX, title);
    figures(HEADS_PX - 6, "tick", heads);
    to.line();
  }

  /// For the percentiles of single operations, a row for each of these.
  public static Chart ofLatencies(HtmlPage to, Collection<Latencies> rows, String title) {
    return new Chart(to, Axis.ofLatencies(rows), rows.size(), title, "p50", "p99");
  }

  /// A name that is short enough for a [#row].
  public static String label(String name) {
    return Width.cutMiddle(name, LABEL_COLUMNS_MAX, true);
  }

  /// @param kind of the row, a class of the style sheet
  /// @param figures stand at the right end, the last outermost, each below that of the row above
  public Chart row(String label, String kind, String... figures) {
    int baselinePx = rowTopPx + LABEL_PX - 3;
    to.open("g", "class", kind);
    text("label", label, "0", 0, baselinePx, "start");
    figures(baselinePx, "figure", figures);
    return this;
  }

  public void end() {
    to.close().line();
    rowTopPx += ROW_PX;
  }

  /// From the left edge to a time.
  ///
  /// @param topPx from 0, and with the height at most 20
  public Chart bar(double toNs, int topPx, int heightPx, String kind) {
    int y = drawnTop() + topPx;
    String width = x(toNs);
    to.empty("rect", "class", kind, "x", 0, "y", y, "width", width, "height", heightPx, "rx", 2);
    return this;
  }

  public Chart span(double fromNs, double toNs, int yPx, String kind) {
    line(kind, fromNs, toNs, drawnTop() + yPx, drawnTop() + yPx);
    return this;
  }

  /// The same with an upright stroke at each end: from the quickest run to the slowest.
  public Chart whisker(double fromNs, double toNs) {
    return span(fromNs, toNs, 7, "whisker").stroke(fromNs, 3, 8).stroke(toNs, 3, 8);
  }

  public Chart dot(double atNs, int yPx, double radiusPx, String kind) {
    int y = drawnTop() + yPx;
    to.empty("circle", "class", kind, "cx", x(atNs), "cy", y, "r", radiusPx);
    return this;
  }

  /// The percentiles of one row: a large dot for half of all samples, a small one for 90 %, a ring
  /// for 99 %, a small one for 99.9 %, a stroke for the slowest.
  public Chart percentiles(Latencies latencies) {
    long p50Ns = latencies.percentileNs(50);
    return span(p50Ns, latencies.maxNs(), 8, "stem")
        .stroke(latencies.maxNs(), 3, 10)
        .dot(latencies.percentileNs(99.9), 8, 3, "ring")
        .dot(latencies.percentileNs(99), 8, 4.5, "ring")
        .dot(latencies.percentileNs(90), 8, 3, "bar")
        .dot(p50Ns, 8, 5, "bar");
  }

  private Chart stroke(double atNs, int topPx, int heightPx) {
    line("whisker", atNs, atNs, drawnTop() + topPx, drawnTop() + topPx + heightPx);
    return this;
  }

  private void figures(int baselinePx, String kind, String... figures) {
    for (int i = 0; i < figures.length; i++) {
      int shiftPx = (i + 1 - figures.length) * FIGURE_PX;
      text(kind, figures[i], "100%", shiftPx, baselinePx, "end");
    }
  }

  private int drawnTop() {
    return rowTopPx + LABEL_PX + 2;
  }
}

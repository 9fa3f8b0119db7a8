package dev.zcp.report;

import dev.zcp.insight.HeatMap.HeatCounts;

/// The latencies of one stage over time, as SVG of the same kind as [Chart]: a field for each step
/// and each row of latencies that has samples.
final class HeatChart {

  private static final int ROW_PX = 14;
  private static final int AXIS_PX = 26;
  private static final int TICK_PX = 5;

  /// Two labels below each other need so many rows.
  private static final int LABEL_ROWS = 2;

  /// How many shades the style sheet has.
  private static final int SHADES = 5;

  private HeatChart() {}

  /// @param counts of the stage
  /// @param elapsedNs when the last step ended
  static void write(HtmlPage to, HeatCounts heat, long[] counts, long elapsedNs) {
    int rows = heat.fromNs().length;
    int first = rows;
    int end = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        first = Math.min(first, i % rows);
        end = Math.max(end, i % rows + 1);
      }
    }
    int plotPx = (end - first) * ROW_PX;
    String height = Integer.toString(plotPx + AXIS_PX);
    to.open("svg", "xmlns", Chart.SVG, "role", "img", "width", "100%", "height", height);
    to.element("title", "Latencies over the time of the run").line();
    Axis axis = Axis.forBars(elapsedNs, elapsedNs);
    for (double tickNs : axis.ticksNs()) {
      double at = axis.percent(tickNs);
      String x = Axis.percentText(at);
      String y = Integer.toString(plotPx + TICK_PX);
      to.empty("line", "class", "grid", "x1", x, "x2", x, "y1", "0", "y2", y);
      String anchor = Axis.anchor(at);
      text(to, Axis.text(tickNs), x, plotPx + AXIS_PX - 7, anchor);
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        double from = axis.percent((double) (i / rows) * heat.stepNs());
        double until = axis.percent((i / rows + 1.0) * heat.stepNs());
        String y = Integer.toString(plotPx - (i % rows - first + 1) * ROW_PX);
        int bits = Long.SIZE - Long.numberOfLeadingZeros(counts[i]);
        int shade = Math.min(SHADES, (bits + 1) / 2);
        to.empty(
            "rect",
            "class",
            "heat heat" + shade,
            "x",
            Axis.percentText(from),
            "y",
            y,
            "width",
            Axis.percentText(until - from),
            "height",
            Integer.toString(ROW_PX));
      }
    }
    for (int row = first; row < end; row += LABEL_ROWS) {
      int y = plotPx - (row - first) * ROW_PX - 3;
      text(to, LatencyTable.time(heat.fromNs()[row], true), "0", y, "start");
    }
    to.close().line();
  }

  private static void text(HtmlPage to, String text, String x, int y, String anchor) {
    to.element(
        "text", text, "class", "tick", "x", x, "y", Integer.toString(y), "text-anchor", anchor);
  }
}

package dev.zcp.bench;

import dev.zcp.core.Elapsed;
import dev.zcp.core.Width;
import dev.zcp.insight.Latencies;
import dev.zcp.report.Axis;
import dev.zcp.report.Chart;
import dev.zcp.report.HtmlPage;
import dev.zcp.report.Scale;
import java.util.List;

/// The charts of the page.
final class BenchCharts {

  /// A longer label would run into the figure beside it on a telephone; the table has it whole.
  private static final int LABEL_COLUMNS_MAX = 24;

  private BenchCharts() {}

  /// How long the runs of each cell of a group took: the median as a bar, its quickest and slowest
  /// run as a line across its end, what an article claims as an outline below it.
  static void writeTimes(HtmlPage to, BenchResult.Group group, GroupTables tables) {
    List<CellResult> cells =
        group.cells().stream().filter(cell -> !(cell instanceof CellResult.Refused)).toList();
    Axis axis = axis(group.measured());
    Ranking ranking = tables.ranking();
    to.open("figure", "class", "times").line();
    String title = group.title() + ": median time of each, shorter is better";
    Chart chart = new Chart(to, axis, cells.size(), title, "median", "ratio");
    boolean near = false;
    boolean claims = false;
    for (CellResult each : cells) {
      String label = label(tables, each);
      if (each instanceof CellResult.Measurement cell) {
        Ranking.Standing standing = ranking.of(cell);
        near |= standing == Ranking.Standing.WITHIN_NOISE;
        claims |= claimedNs(cell) > 0;
        String ratio = Scale.threeFigures(ranking.ratio(cell)) + "×";
        // Of the fastest the word: that its ratio is 1 says nothing more.
        String shown =
            switch (standing) {
              case FASTEST -> "fastest";
              case WITHIN_NOISE -> "≈ " + ratio;
              case SLOWER -> ratio;
              case ALONE -> "";
            };
        String median = new Elapsed(Math.round(cell.elapsed().median())).toString();
        chart.row(label, standing.mark(true).kind(), median, shown);
        draw(chart, cell, axis.isLogarithmic());
      } else {
        chart.row(label, "failed", "failed");
      }
      chart.end();
    }
    chart.close();
    String caption =
        "Median time of a run, shorter is better; the line across goes from the quickest run to"
            + " the slowest."
            + (claims
                ? " The outline below is the mean that the article claims, on its own machine."
                : "")
            + (near ? " ≈: the difference to the fastest may be chance." : "")
            + (axis.isLogarithmic() ? " The axis is logarithmic." : "");
    to.element("figcaption", caption).close().line();
  }

  /// How long the single calls of each cell took: its percentiles along one logarithmic axis.
  static void writeCalls(HtmlPage to, BenchResult.Group group, GroupTables tables) {
    List<CellResult.Measurement> cells = group.measured();
    double lowestNs =
        cells.stream().mapToDouble(cell -> cell.latencies().percentileNs(50)).min().orElse(1);
    double highestNs = cells.stream().mapToDouble(cell -> cell.latencies().maxNs()).max().orElse(1);
    to.open("figure").line();
    String title = group.title() + ": latency of a single call, percentiles";
    Axis axis = Axis.logarithmic(lowestNs, highestNs);
    Chart chart = new Chart(to, axis, cells.size(), title, "p50", "p99");
    for (CellResult.Measurement cell : cells) {
      Latencies calls = cell.latencies();
      long p50Ns = calls.percentileNs(50);
      long p99Ns = calls.percentileNs(99);
      String kind = tables.ranking().of(cell).mark(true).kind();
      String label = label(tables, cell);
      chart
          .row(label, kind, new Elapsed(p50Ns).toString(), new Elapsed(p99Ns).toString())
          .span(p50Ns, calls.maxNs(), 8, "stem")
          .stroke(calls.maxNs(), 3, 10, "whisker")
          .dot(calls.percentileNs(99.9), 8, 3, "ring")
          .dot(p99Ns, 8, 4.5, "ring")
          .dot(calls.percentileNs(90), 8, 3, "bar")
          .dot(p50Ns, 8, 5, "bar")
          .end();
    }
    chart.close();
    to.element(
        "figcaption",
        "Latency of a single call. Large dot: half of all"
            + " calls were quicker; small dot: 90%; ring: 99%; small ring: 99.9%; stroke: the"
            + " slowest. The axis is logarithmic.");
    to.close().line();
  }

  private static void draw(Chart chart, CellResult.Measurement cell, boolean logarithmic) {
    Summary elapsed = cell.elapsed();
    if (!logarithmic) {
      chart.bar(elapsed.median(), 1, 12, "bar");
    }
    chart.span(elapsed.min(), elapsed.max(), 7, "whisker");
    chart.stroke(elapsed.min(), 3, 8, "whisker").stroke(elapsed.max(), 3, 8, "whisker");
    if (logarithmic) {
      // A bar's length would say nothing if the axis has no zero.
      chart.bar(elapsed.median(), 6, 2, "stem").dot(elapsed.median(), 7, 5, "bar");
    }
    double claimedNs = claimedNs(cell);
    if (claimedNs > 0) {
      chart.bar(claimedNs, 15, 5, "ghost");
    }
  }

  private static Axis axis(List<CellResult.Measurement> cells) {
    double lowestNs = Double.MAX_VALUE;
    double highestNs = 1_000;
    for (CellResult.Measurement cell : cells) {
      Summary elapsed = cell.elapsed();
      double claimedNs = claimedNs(cell);
      boolean isClaimed = claimedNs > 0;
      lowestNs = Math.min(lowestNs, isClaimed ? Math.min(claimedNs, elapsed.min()) : elapsed.min());
      highestNs =
          Math.max(highestNs, isClaimed ? Math.max(claimedNs, elapsed.max()) : elapsed.max());
    }
    return Axis.forBars(lowestNs, highestNs);
  }

  /// What an article claims of a file of this size; NaN if there is no such claim. Beside a file of
  /// another size its bar would be of another scale.
  private static double claimedNs(CellResult.Measurement cell) {
    Cell.Claim claim = cell.cell().claim();
    return claim.fileBytes() == cell.cell().fileBytes() ? claim.meanMs() * 1e6 : Double.NaN;
  }

  private static String label(GroupTables tables, CellResult cell) {
    return Width.cutMiddle(tables.name(cell), LABEL_COLUMNS_MAX, true);
  }
}

package dev.zcp.bench.report;

import dev.zcp.bench.result.Summary;
import dev.zcp.core.Elapsed;
import java.util.List;

/// How long the runs of each cell of a group took: the median as a bar, its quickest and slowest
/// run as a line across its end, what an article claims as an outline below it.
final class TimeChart {

  private TimeChart() {}

  static void write(Markup to, Sheet.Group group, List<Trait> traits) {
    List<Row.Measured> measured = group.measured();
    List<Row> rows = group.rows().stream().filter(row -> !(row instanceof Row.Refused)).toList();
    Axis axis = axis(measured);
    Ranking ranking = Ranking.of(group);
    to.open("figure").line();
    Chart chart =
        Chart.open(to, axis, rows.size(), group.title() + ": median time of each, lower is better");
    for (Row each : rows) {
      String label = PageWords.label(each.cell(), traits);
      if (each instanceof Row.Measured row) {
        Ranking.Standing standing = ranking.of(row);
        String figure = time(row) + "  " + Scale.threeFigures(ranking.ratio(row)) + "×";
        chart.row(label, PageWords.mark(standing), figure, PageWords.kind(standing));
        draw(chart, row, axis.isLogarithmic());
      } else {
        chart.row(label, "", "failed", "failed");
      }
      chart.end();
    }
    chart.close();
    to.element("figcaption", caption(axis, measured)).close().line();
  }

  private static void draw(Chart chart, Row.Measured row, boolean logarithmic) {
    Summary elapsed = row.elapsed();
    if (logarithmic) {
      // A bar's length would say nothing where the axis has no zero.
      chart.bar(elapsed.median(), 6, 2, "stem").dot(elapsed.median(), 7, 5, "bar");
    } else {
      chart.bar(elapsed.median(), 1, 12, "bar");
    }
    chart.span(elapsed.min(), elapsed.max(), 7, "whisker");
    chart.stroke(elapsed.min(), 3, 8, "whisker").stroke(elapsed.max(), 3, 8, "whisker");
    double claimedNs = row.cell().claim().medianMs() * 1e6;
    if (claimedNs > 0) {
      chart.bar(claimedNs, 15, 5, "ghost");
    }
  }

  private static Axis axis(List<Row.Measured> rows) {
    double lowestNs = Double.MAX_VALUE;
    double highestNs = 1;
    for (Row.Measured row : rows) {
      lowestNs = Math.min(lowestNs, row.elapsed().min());
      highestNs = Math.max(highestNs, row.elapsed().max());
      double claimedNs = row.cell().claim().medianMs() * 1e6;
      if (claimedNs > 0) {
        lowestNs = Math.min(lowestNs, claimedNs);
        highestNs = Math.max(highestNs, claimedNs);
      }
    }
    return Axis.forBars(lowestNs, highestNs);
  }

  private static String caption(Axis axis, List<Row.Measured> rows) {
    boolean claims = rows.stream().anyMatch(row -> row.cell().claim().medianMs() > 0);
    return "Median time of a run, shorter is better; the line across goes from the quickest run to"
        + " the slowest."
        + (claims ? " The outline below is what the article claims, on its own machine." : "")
        + (axis.isLogarithmic() ? " The axis is logarithmic." : "");
  }

  private static String time(Row.Measured row) {
    return new Elapsed(Math.round(row.elapsed().median())).toString();
  }
}

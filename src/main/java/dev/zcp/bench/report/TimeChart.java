package dev.zcp.bench.report;

import dev.zcp.bench.plan.Claim;
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
    to.open("figure", "class", "times").line();
    Chart chart =
        Chart.open(
            to,
            axis,
            rows.size(),
            group.title() + ": median time of each, shorter is better",
            "median",
            "ratio");
    for (Row each : rows) {
      String label = PageWords.label(each.cell(), traits);
      if (each instanceof Row.Measured row) {
        Ranking.Standing standing = ranking.of(row);
        chart.row(label, PageWords.kind(standing), time(row), ratio(standing, ranking.ratio(row)));
        draw(chart, row, axis.isLogarithmic());
      } else {
        chart.row(label, "failed", "failed");
      }
      chart.end();
    }
    chart.close();
    to.element("figcaption", caption(axis, measured, ranking)).close().line();
  }

  private static void draw(Chart chart, Row.Measured row, boolean logarithmic) {
    Summary elapsed = row.elapsed();
    if (!logarithmic) {
      chart.bar(elapsed.median(), 1, 12, "bar");
    }
    chart.span(elapsed.min(), elapsed.max(), 7, "whisker");
    chart.stroke(elapsed.min(), 3, 8, "whisker").stroke(elapsed.max(), 3, 8, "whisker");
    if (logarithmic) {
      // A bar's length would say nothing where the axis has no zero.
      chart.bar(elapsed.median(), 6, 2, "stem").dot(elapsed.median(), 7, 5, "bar");
    }
    double claimedNs = claimedNs(row);
    if (claimedNs > 0) {
      chart.bar(claimedNs, 15, 5, "ghost");
    }
  }

  private static Axis axis(List<Row.Measured> rows) {
    double lowestNs = Double.MAX_VALUE;
    double highestNs = 1_000;
    for (Row.Measured row : rows) {
      lowestNs = Math.min(lowestNs, row.elapsed().min());
      highestNs = Math.max(highestNs, row.elapsed().max());
      double claimedNs = claimedNs(row);
      if (claimedNs > 0) {
        lowestNs = Math.min(lowestNs, claimedNs);
        highestNs = Math.max(highestNs, claimedNs);
      }
    }
    return Axis.forBars(lowestNs, highestNs);
  }

  /// What an article claims of a file of this size; NaN where there is no such claim. Beside a file
  /// of another size its bar would be of another scale.
  private static double claimedNs(Row.Measured row) {
    Claim claim = row.cell().claim();
    return claim.isOfSize(row.cell().fileBytes()) ? claim.meanMs() * 1e6 : Double.NaN;
  }

  private static String caption(Axis axis, List<Row.Measured> rows, Ranking ranking) {
    boolean near = rows.stream().anyMatch(row -> ranking.of(row) == Ranking.Standing.WITHIN_NOISE);
    boolean claims = rows.stream().anyMatch(row -> claimedNs(row) > 0);
    return "Median time of a run, shorter is better; the line across goes from the quickest run to"
        + " the slowest."
        + (claims
            ? " The outline below is the mean that the article claims, on its own machine."
            : "")
        + (near ? " ≈: the difference to the fastest may be chance." : "")
        + (axis.isLogarithmic() ? " The axis is logarithmic." : "");
  }

  /// Of the fastest the word: that its ratio is 1 says nothing more.
  private static String ratio(Ranking.Standing standing, double ratio) {
    String text = Scale.threeFigures(ratio) + "×";
    return switch (standing) {
      case FASTEST -> "fastest";
      case WITHIN_NOISE -> "≈ " + text;
      case SLOWER -> text;
      case ALONE -> "";
    };
  }

  private static String time(Row.Measured row) {
    return new Elapsed(Math.round(row.elapsed().median())).toString();
  }
}

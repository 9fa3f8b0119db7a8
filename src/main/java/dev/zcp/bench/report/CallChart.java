package dev.zcp.bench.report;

import dev.zcp.core.Elapsed;
import java.util.List;

/// How long the single calls of each cell took: its percentiles along one logarithmic axis.
final class CallChart {

  private CallChart() {}

  static void write(Markup to, Sheet.Group group, List<Trait> traits) {
    List<Row.Measured> rows = group.measured();
    long lowestNs = rows.stream().mapToLong(row -> row.calls().p50Ns()).min().orElse(1);
    long highestNs = rows.stream().mapToLong(row -> row.calls().maxNs()).max().orElse(1);
    Ranking ranking = Ranking.of(group);
    to.open("figure").line();
    Chart chart =
        Chart.open(
            to,
            Axis.logarithmic(lowestNs, highestNs),
            rows.size(),
            group.title() + ": latency of a single call, percentiles");
    for (Row.Measured row : rows) {
      CallTimes calls = row.calls();
      String figure = "p50 " + time(calls.p50Ns()) + "  p99 " + time(calls.p99Ns());
      chart
          .row(PageWords.label(row.cell(), traits), "", figure, PageWords.kind(ranking.of(row)))
          .span(calls.p50Ns(), calls.maxNs(), 8, "stem")
          .stroke(calls.maxNs(), 3, 10, "whisker")
          .dot(calls.p999Ns(), 8, 3, "ring")
          .dot(calls.p99Ns(), 8, 4.5, "ring")
          .dot(calls.p90Ns(), 8, 3, "bar")
          .dot(calls.p50Ns(), 8, 5, "bar")
          .end();
    }
    chart.close();
    to.element(
        "figcaption",
        "Latency of a single call. Large dot: half of all calls were quicker; small dot: 90%; ring:"
            + " 99%; small ring: 99.9%; stroke: the slowest. The axis is logarithmic.");
    to.close().line();
  }

  private static String time(long elapsedNs) {
    return new Elapsed(elapsedNs).toString();
  }
}

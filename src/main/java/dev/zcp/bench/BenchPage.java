package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Failure;
import dev.zcp.core.Rate;
import dev.zcp.insight.Latencies;
import dev.zcp.report.Axis;
import dev.zcp.report.Chart;
import dev.zcp.report.HtmlPage;
import dev.zcp.report.ReportFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/// A benchmark as one page for a browser: the tables of [BenchTable], all of them, and charts.
public final class BenchPage {

  /// How the runs were made, for whoever reads the page without the manual.
  private static final String METHOD =
      "Each cell is one way of doing the same work: a strategy and a chunk, the most that one call"
          + " moves; 'own' is the chunk that the strategy chooses. Cells took turns in random"
          + " order, the order being made from the seed, so that whatever changed on the machine"
          + " changed for all of them. The first run of a cell is shown apart; then it was run"
          + " until it got no faster, and from there on runs count. Every run was checked: a"
          + " written file was compared in full; of bytes that ended in memory or at the other end"
          + " of a connection a timed run counted all and looked at one of each 4096, and one run"
          + " apart looked at all. A cell that failed a check has no time. Figures are medians of"
          + " the runs that count, those of processor time means. If the middle halves of two"
          + " cells' runs overlap, their difference may be chance, and the page says so. Times of"
          + " the processor, calls, switches and faults are those of the thread that moved the"
          + " bytes.";

  private final BenchResult result;
  private final HtmlPage to;

  private BenchPage(BenchResult result) {
    this.result = result;
    this.to = new HtmlPage("zcp bench, " + result.started());
  }

  /// Writes `file`. It is absent, old or complete at any time, unless it is no ordinary file: a
  /// device or a FIFO is written to as it is.
  ///
  /// @throws Failure DESTINATION if it cannot be written
  public static void write(BenchResult result, Path file) throws Failure {
    try {
      ReportFile.write(of(result).getBytes(StandardCharsets.UTF_8), file, "the page");
    } catch (Failure e) {
      throw e.with("the figures are above");
    }
  }

  static String of(BenchResult result) {
    BenchPage page = new BenchPage(result);
    page.writeTop();
    for (int i = 0; i < result.groups().size(); i++) {
      page.write(result.groups().get(i), i);
    }
    page.writeModel();
    page.writeMethod();
    return page.to.html();
  }

  private void writeTop() {
    to.open("header").element("h1", "zcp bench").line();
    to.open("p", "class", "command").element("code", result.command()).close().line();
    to.close().line();
    to.open("section", "aria-label", "At a glance").open("ul", "class", "glance").line();
    for (int i = 0; i < result.groups().size(); i++) {
      glance(result.groups().get(i), i);
    }
    to.close().close().line();
    if (!result.warnings().isEmpty()) {
      to.open("section", "class", "warnings").element("h2", "Take these figures with care").line();
      to.open("ul");
      result.warnings().forEach(warning -> to.element("li", warning).line());
      to.close().close().line();
    }
  }

  private void glance(BenchResult.Group group, int index) {
    GroupTables tables = new GroupTables(group, true);
    to.open("li").element("a", group.title(), "href", "#group-" + index);
    CellResult.Measurement winner = tables.winner();
    if (winner == null) {
      to.element("span", "nothing was measured", "class", "detail");
    } else {
      long medianNs = Math.round(winner.elapsed().median());
      String detail = new Elapsed(medianNs) + ", " + new Rate(winner.cell().fileBytes(), medianNs);
      to.element("strong", tables.name(winner)).element("span", detail, "class", "detail");
    }
    long failed = group.all(CellResult.Failed.class).count();
    if (failed > 0) {
      to.element("span", failed + " failed", "class", "bad");
    }
    to.close().line();
  }

  private void write(BenchResult.Group group, int index) {
    GroupTables tables = new GroupTables(group, true);
    boolean isMeasured = !group.measured().isEmpty();
    to.open("section", "id", "group-" + index).element("h2", group.title()).line();
    if (!group.note().isEmpty()) {
      to.note(group.note());
    }
    if (isMeasured) {
      writeTimes(group, tables);
    }
    tables.main().write(to, "Times and rates" + (isMeasured ? " (" + tables.units() + ")" : ""));
    tables.notes(result.runsMax()).forEach(to::note);
    tables.claims().write(to, "The article's figures");
    if (tables.forces().write(to, "Single forces")) {
      to.note(GroupTables.ONE_THREAD);
    }
    if (isMeasured) {
      writeCalls(group, tables);
    }
    tables.costs().write(to, "What one run used");
    tables.uses().write(to, "How the runs were made");
    tables.calls().write(to, "Single calls");
    if (tables.hasSmallCalls()) {
      to.note(GroupTables.SMALL_CALLS);
    }
    to.close().line();
  }

  private void writeModel() {
    List<CellResult.Measurement> measured = result.measured();
    if (!measured.isEmpty()) {
      to.section("The model beside the measured");
      to.note(GroupTables.MODEL);
      GroupTables.model(measured, true, true)
          .write(to, "By theory for one call, and measured for each MiB");
      to.note(GroupTables.systemCalls(measured));
      to.close().line();
    }
  }

  private void writeMethod() {
    to.section("How this was measured");
    to.element("p", METHOD).line();
    Machine machine = result.machine();
    to.open("dl").line();
    to.fact("Machine", machine.processor());
    to.fact("Processors", machine.processors() > 0 ? Integer.toString(machine.processors()) : "");
    long memory = machine.memoryBytes();
    to.fact("Memory", memory > 0 ? new ByteSize(memory).toString() : "");
    to.fact("Kernel", machine.kernel());
    to.fact("File system", machine.fileSystem());
    to.fact("Java", machine.java());
    to.fact("zcp", result.zcpVersion());
    to.fact("Begun", result.started());
    to.fact("Seed", Long.toString(result.seed()));
    to.fact("Exit code", Integer.toString(result.exitCode().number()));
    to.close().close().line();
  }

  /// How long the runs of each cell of a group took: the median as a bar, its quickest and slowest
  /// run as a line across its end, what an article claims as an outline below it.
  private void writeTimes(BenchResult.Group group, GroupTables tables) {
    List<CellResult> cells =
        group.cells().stream().filter(cell -> !(cell instanceof CellResult.Refused)).toList();
    Axis axis = axis(group.measured());
    to.open("figure", "class", "times").line();
    String title = group.title() + ": median time of each, shorter is better";
    Chart chart = new Chart(to, axis, cells.size(), title, "median", "ratio");
    boolean near = false;
    boolean claims = false;
    for (CellResult each : cells) {
      String label = Chart.label(tables.name(each));
      if (each instanceof CellResult.Measurement cell) {
        GroupTables.Standing standing = tables.standing(cell);
        near |= standing == GroupTables.Standing.WITHIN_NOISE;
        claims |= claimedNs(cell) > 0;
        String ratio = tables.ratio(cell) + "×";
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
    to.caption(
        "Median time of a run, shorter is better; the line across goes from the quickest run to"
            + " the slowest."
            + (claims
                ? " The outline below is the mean that the article claims, on its own machine."
                : "")
            + (near ? " ≈: the difference to the fastest may be chance." : "")
            + (axis.isLogarithmic() ? " The axis is logarithmic." : ""));
  }

  /// How long the single calls of each cell took: its percentiles along one logarithmic axis.
  private void writeCalls(BenchResult.Group group, GroupTables tables) {
    List<CellResult.Measurement> cells = group.measured();
    List<Latencies> all = cells.stream().map(CellResult.Measurement::latencies).toList();
    to.open("figure").line();
    String title = group.title() + ": latency of a single call, percentiles";
    Chart chart = Chart.ofLatencies(to, all, title);
    for (CellResult.Measurement cell : cells) {
      Latencies calls = cell.latencies();
      String p50 = new Elapsed(calls.percentileNs(50)).toString();
      String p99 = new Elapsed(calls.percentileNs(99)).toString();
      chart.row(Chart.label(tables.name(cell)), tables.standing(cell).mark(true).kind(), p50, p99);
      chart.percentiles(calls).end();
    }
    chart.close();
    to.caption(
        "Latency of a single call. Large dot: half of all calls were quicker; small dot: 90%;"
            + " ring: 99%; small ring: 99.9%; stroke: the slowest. The axis is logarithmic.");
  }

  private static void draw(Chart chart, CellResult.Measurement cell, boolean logarithmic) {
    Summary elapsed = cell.elapsed();
    if (!logarithmic) {
      chart.bar(elapsed.median(), 1, 12, "bar");
    }
    chart.whisker(elapsed.min(), elapsed.max());
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
    DoubleSummaryStatistics ns = new DoubleSummaryStatistics();
    for (CellResult.Measurement cell : cells) {
      ns.accept(cell.elapsed().min());
      ns.accept(cell.elapsed().max());
      ns.accept(claimedNs(cell) > 0 ? claimedNs(cell) : cell.elapsed().min());
    }
    return Axis.forBars(ns.getMin(), Math.max(1_000, ns.getMax()));
  }

  /// What an article claims of a file of this size; NaN if there is no such claim. Beside a file of
  /// another size its bar would be of another scale.
  private static double claimedNs(CellResult.Measurement cell) {
    Cell.ArticleClaim claim = cell.cell().claim();
    return claim.fileBytes() == cell.cell().fileBytes() ? claim.meanMs() * 1e6 : Double.NaN;
  }
}

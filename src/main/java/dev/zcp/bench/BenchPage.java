package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Failure;
import dev.zcp.core.Rate;
import dev.zcp.report.HtmlPage;
import dev.zcp.report.Table;
import java.nio.file.Path;
import java.util.List;

/// A benchmark as one page for a browser: the tables of [BenchTable], all of them, and charts.
public final class BenchPage {

  /// How the runs were made, for whoever reads the page without the manual.
  private static final String METHOD =
      "Each cell is one way of doing the same work. Cells took turns in random order, the order"
          + " being made from the seed, so that whatever changed on the machine changed for all of"
          + " them. The first run of a cell is shown apart; then it was run until it got no faster,"
          + " and from there on runs count. Every run was checked: a written file was compared in"
          + " full; of bytes that ended in memory or at the other end of a connection a timed run"
          + " counted all and looked at one of each 4096, and one run apart looked at all. A cell"
          + " that failed a check has no time. Figures are medians of"
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
      HtmlPage.write(of(result), file);
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

  /// One line for each group: who won.
  private void glance(BenchResult.Group group, int index) {
    GroupTables tables = new GroupTables(group, true);
    to.open("li").element("a", group.title(), "href", "#group-" + index);
    CellResult.Measurement winner = tables.ranking().winner();
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
      note(group.note());
    }
    if (isMeasured) {
      BenchCharts.writeTimes(to, group, tables);
    }
    write(tables.main(), "Times and rates" + (isMeasured ? " (" + tables.units() + ")" : ""));
    tables.notes(result.runsMax()).forEach(this::note);
    write(tables.claims(), "The article's figures");
    if (write(tables.forces(), "Single forces")) {
      note(GroupTables.ONE_THREAD);
    }
    if (isMeasured) {
      BenchCharts.writeCalls(to, group, tables);
    }
    write(tables.uses(), "What one run used");
    write(tables.calls(), "Single calls");
    if (tables.hasSmallCalls()) {
      note(GroupTables.SMALL_CALLS);
    }
    to.close().line();
  }

  private void writeModel() {
    List<CellResult.Measurement> measured = result.measured();
    if (!measured.isEmpty()) {
      to.open("section").element("h2", "The model beside the measured").line();
      note(GroupTables.MODEL);
      write(
          GroupTables.model(measured, true, true),
          "By theory for one call, and measured for each MiB");
      note(GroupTables.systemCalls(measured));
      to.close().line();
    }
  }

  private void writeMethod() {
    to.open("section").element("h2", "How this was measured").line();
    to.element("p", METHOD).line();
    Machine machine = result.machine();
    to.open("dl").line();
    fact("Machine", machine.processor());
    fact("Processors", machine.processors() > 0 ? Integer.toString(machine.processors()) : "");
    long memory = machine.memoryBytes();
    fact("Memory", memory > 0 ? new ByteSize(memory).toString() : "");
    fact("Kernel", machine.kernel());
    fact("File system", machine.fileSystem());
    fact("Java", machine.java());
    fact("zcp", result.zcpVersion());
    fact("Begun", result.started());
    fact("Seed", Long.toString(result.seed()));
    fact("Exit code", Integer.toString(result.exitCode().number()));
    to.close().close().line();
  }

  private boolean write(Table table, String caption) {
    if (!table.isEmpty()) {
      table.write(to, caption);
    }
    return !table.isEmpty();
  }

  private void note(String text) {
    to.element("p", text, "class", "note").line();
  }

  private void fact(String name, String value) {
    if (!value.isEmpty()) {
      to.open("div").element("dt", name).element("dd", value).close().line();
    }
  }
}

package dev.zcp.bench.report;

import dev.zcp.bench.result.BenchResult;
import dev.zcp.bench.result.Machine;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Failure;
import dev.zcp.core.Rate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// A benchmark as one page for a browser. It has no script, asks for nothing from anywhere, and
/// says so in a policy that the browser keeps.
public final class BenchPage {

  /// The style sheet within the page, and nothing else: no script, no picture, no font, no network.
  static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

  private static final String STYLE = "page.css";

  private final Sheet sheet;
  private final Markup to = new Markup();

  private BenchPage(Sheet sheet) {
    this.sheet = sheet;
  }

  /// Writes `file`. It is absent, old or complete at any time, unless it is no ordinary file: a
  /// device or a FIFO is written to as it is.
  ///
  /// @throws Failure DESTINATION where it cannot be written
  public static void write(BenchResult result, Path file) throws Failure {
    PageFile.write(of(Sheet.of(result)), file);
  }

  /// The page of an older run.
  public static void write(BenchJson.Saved saved, Path file) throws Failure {
    PageFile.write(of(saved.sheet()), file);
  }

  static String of(Sheet sheet) {
    BenchPage page = new BenchPage(sheet);
    page.writeAll();
    return page.to.page();
  }

  private void writeAll() {
    to.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").line();
    writeHead();
    to.open("body").open("main").line();
    writeTop();
    for (int i = 0; i < sheet.groups().size(); i++) {
      write(sheet.groups().get(i), i);
    }
    writeModel();
    writeMethod();
    to.close().close().close();
  }

  private void writeHead() {
    to.open("head").line();
    to.empty("meta", "charset", "utf-8").line();
    to.empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY).line();
    to.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1").line();
    to.empty("meta", "name", "color-scheme", "content", "light dark").line();
    to.element("title", "zcp bench, " + Words.started(sheet)).line();
    to.style(style()).line();
    to.close().line();
  }

  private void writeTop() {
    to.open("header").element("h1", "zcp bench").line();
    to.open("p", "class", "command").element("code", sheet.command()).close().line();
    to.close().line();
    to.open("section", "aria-label", "At a glance").open("ul", "class", "glance").line();
    for (int i = 0; i < sheet.groups().size(); i++) {
      glance(sheet.groups().get(i), i);
    }
    to.close().close().line();
    if (!sheet.warnings().isEmpty()) {
      to.open("section", "class", "warnings").element("h2", "Take these figures with care").line();
      to.open("ul");
      sheet.warnings().forEach(warning -> to.element("li", warning).line());
      to.close().close().line();
    }
  }

  /// One line for each group: who won.
  private void glance(Sheet.Group group, int index) {
    to.open("li").element("a", group.title(), "href", "#group-" + index);
    long failed = group.rows().stream().filter(row -> row instanceof Row.Failed).count();
    Row.Measured winner = Ranking.of(group).winner();
    if (winner == null) {
      to.element("span", "nothing was measured", "class", "detail");
    } else {
      to.element(
          "strong", String.join(" ", Trait.tellApart(winner.cell(), Trait.thatDiffer(group))));
      long medianNs = Math.round(winner.elapsed().median());
      to.element(
          "span",
          new Elapsed(medianNs) + ", " + new Rate(winner.cell().fileBytes(), medianNs),
          "class",
          "detail");
    }
    if (failed > 0) {
      to.element("span", failed + " failed", "class", "bad");
    }
    to.close().line();
  }

  private void write(Sheet.Group group, int index) {
    List<Trait> traits = Trait.thatDiffer(group);
    to.open("section", "id", "group-" + index).element("h2", group.title()).line();
    if (!group.note().isEmpty()) {
      to.element("p", group.note(), "class", "note").line();
    }
    if (!group.measured().isEmpty()) {
      TimeChart.write(to, group, traits);
    }
    PageTables.times(group, traits).write(to);
    if (!group.measured().isEmpty()) {
      CallChart.write(to, group, traits);
    }
    PageTables.counts(group, traits).write(to);
    to.close().line();
  }

  private void writeModel() {
    if (!sheet.measured().isEmpty()) {
      to.open("section").element("h2", "The model beside the measured").line();
      to.element("p", Words.MODEL, "class", "note").line();
      PageTables.model(sheet).write(to);
      to.element("p", Words.systemCalls(sheet), "class", "note").line();
      to.close().line();
    }
  }

  private void writeMethod() {
    to.open("section").element("h2", "How this was measured").line();
    to.element("p", PageWords.METHOD).line();
    Machine machine = sheet.machine();
    to.open("dl").line();
    fact("Machine", machine.processor());
    fact("Processors", machine.processors() > 0 ? Integer.toString(machine.processors()) : "");
    long memory = machine.memoryBytes();
    fact("Memory", memory > 0 ? new ByteSize(memory).toString() : "");
    fact("Kernel", machine.kernel());
    fact("File system", machine.fileSystem());
    fact("Java", machine.java());
    fact("zcp", sheet.version());
    fact("Begun", Words.started(sheet));
    fact("Seed", Long.toString(sheet.seed()));
    fact("Exit code", Integer.toString(sheet.exitCode()));
    to.close().close().line();
  }

  private void fact(String name, String value) {
    if (!value.isEmpty()) {
      to.open("div").element("dt", name).element("dd", value).close().line();
    }
  }

  private static String style() {
    try (InputStream in = BenchPage.class.getResourceAsStream(STYLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the style sheet is part of zcp", e);
    }
  }
}

package dev.zcp.bench.report;

import java.util.ArrayList;
import java.util.List;

/// A table of the page, which scrolls by itself where it is wider than the screen.
final class PageTable {

  private record Column(String header, boolean isNumber) {}

  /// @param kind a class of the style sheet
  /// @param badge a word set off after the first cell, or empty
  private record Line(String kind, List<String> cells, String badge, String message) {}

  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();

  PageTable(String caption) {
    this.caption = caption;
  }

  PageTable words(String... headers) {
    return add(false, headers);
  }

  PageTable numbers(String... headers) {
    return add(true, headers);
  }

  private PageTable add(boolean isNumber, String... headers) {
    for (String header : headers) {
      columns.add(new Column(header, isNumber));
    }
    return this;
  }

  void row(String kind, List<String> cells, String badge) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells + " below " + columns);
    }
    lines.add(new Line(kind, List.copyOf(cells), badge, ""));
  }

  /// A row that has only its first cells and goes on with a message.
  void row(String kind, List<String> cells, String badge, String message) {
    lines.add(new Line(kind, List.copyOf(cells), badge, message));
  }

  void write(Markup to) {
    if (lines.isEmpty()) {
      return;
    }
    // With a place in the order of the tab key, or it could not be scrolled by keyboard.
    to.open("div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", caption);
    to.open("table").element("caption", caption).line();
    to.open("thead").open("tr");
    for (Column column : columns) {
      to.element("th", column.header(), "scope", "col", "class", kind(column));
    }
    to.close().close().line();
    to.open("tbody").line();
    for (Line line : lines) {
      write(to, line);
    }
    to.close().close().close().line();
  }

  private void write(Markup to, Line line) {
    to.open("tr", "class", line.kind());
    for (int i = 0; i < line.cells().size(); i++) {
      if (i == 0) {
        to.open("th", "scope", "row").text(line.cells().get(i));
        if (!line.badge().isEmpty()) {
          to.text(" ").element("span", line.badge(), "class", "badge");
        }
        to.close();
      } else {
        to.element("td", line.cells().get(i), "class", kind(columns.get(i)));
      }
    }
    if (!line.message().isEmpty()) {
      String rest = Integer.toString(columns.size() - line.cells().size());
      to.element("td", line.message(), "colspan", rest, "class", "words");
    }
    to.close().line();
  }

  private static String kind(Column column) {
    return column.isNumber() ? "number" : "words";
  }
}

package dev.zcp.report;

import dev.zcp.core.Prose;
import dev.zcp.core.Width;
import java.util.ArrayList;
import java.util.List;

/// A table for people, as lines of text or as HTML. All tables of zcp are written here.
public final class Table {

  private static final int GAP = 2;
  private static final int GAP_MIN = 1;

  /// A message is broken no narrower than this, even if the line gets too long by it.
  private static final int MESSAGE_COLUMNS_MIN = 20;

  private final List<TableColumn> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private boolean hasSigns;
  private String band = "";

  /// What sets a row apart from others.
  ///
  /// @param sign stands before the row of a text
  /// @param kind the class of the row in the style sheet
  /// @param badge a word set off after the first cell of a row of HTML, or empty
  public record Mark(String sign, String kind, String badge) {
    public static final Mark NONE = new Mark("", "other", "");
  }

  /// @param band what it has in common with its neighbours, or empty
  private record TableColumn(String header, boolean isNumber, int columnsMin, String band) {}

  /// @param message what stands in place of the remaining cells, or empty
  private record Row(Mark mark, List<String> cells, String message) {}

  public Table left(String... headers) {
    return left(0, headers);
  }

  public Table right(String... headers) {
    return right(0, headers);
  }

  /// Adds columns of words that are at least so wide in a text.
  public Table left(int columnsMin, String... headers) {
    return add(false, columnsMin, headers);
  }

  /// Adds columns of numbers that are at least so wide in a text.
  public Table right(int columnsMin, String... headers) {
    return add(true, columnsMin, headers);
  }

  /// What the columns that are added from here on have in common, until the next band.
  public Table band(String title) {
    band = title;
    return this;
  }

  /// The signs of marks get a column of their own, which is there for text only.
  public Table signs() {
    hasSigns = true;
    return this;
  }

  public void row(List<String> cells) {
    row(Mark.NONE, cells);
  }

  public void row(Mark mark, List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells + " below " + columns);
    }
    rows.add(new Row(mark, List.copyOf(cells), ""));
  }

  /// A row that has only its first cells and goes on with a message.
  public void row(Mark mark, List<String> cells, String message) {
    rows.add(new Row(mark, List.copyOf(cells), message));
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /// As text: columns as wide as what is in them, two spaces apart, or one if the line would be too
  /// long.
  ///
  /// @param columnsMax where a message is broken; the columns themselves are never cut
  public List<String> lines(int columnsMax) {
    List<String> headers = columns.stream().map(TableColumn::header).toList();
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(columns.get(i).columnsMin(), Width.of(headers.get(i)));
      for (Row row : rows) {
        widths[i] = Math.max(widths[i], i < row.cells().size() ? Width.of(row.cells().get(i)) : 0);
      }
    }
    int gap = Width.of(line("", headers, widths, GAP)) > columnsMax ? GAP_MIN : GAP;
    List<String> text = new ArrayList<>();
    if (columns.stream().anyMatch(column -> !column.band().isEmpty())) {
      text.add(bands(headers, widths, gap));
    }
    text.add(line("", headers, widths, gap).stripTrailing());
    for (Row row : rows) {
      String cells = line(row.mark().sign(), row.cells(), widths, gap);
      if (row.message().isEmpty()) {
        text.add(cells.stripTrailing());
        continue;
      }
      int indent = Width.of(cells) + gap;
      int messageColumns = Math.max(MESSAGE_COLUMNS_MIN, columnsMax - indent);
      String before = cells + " ".repeat(gap);
      for (String part : Prose.wrap(row.message(), messageColumns, 0)) {
        text.add(before + part);
        before = " ".repeat(indent);
      }
    }
    return text;
  }

  /// As HTML, unless it has no rows. The table scrolls by itself if it is wider than the screen.
  ///
  /// @return whether it has any
  public boolean write(HtmlPage to, String caption) {
    if (rows.isEmpty()) {
      return false;
    }
    // In the order of the tab key, or it could not be scrolled by keyboard.
    to.open("div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", caption);
    to.open("table").element("caption", caption).line().open("thead").open("tr");
    String last = "";
    for (TableColumn column : columns) {
      boolean begins = !column.band().equals(last) && !column.band().isEmpty();
      String header = (begins ? column.band() + ": " : "") + column.header();
      last = column.band();
      to.element("th", header, "scope", "col", "class", kind(column));
    }
    to.close().close().line().open("tbody").line();
    for (Row row : rows) {
      to.open("tr", "class", row.mark().kind());
      to.open("th", "scope", "row").text(row.cells().getFirst());
      if (!row.mark().badge().isEmpty()) {
        to.text(" ").element("span", row.mark().badge(), "class", "badge");
      }
      to.close();
      for (int i = 1; i < row.cells().size(); i++) {
        to.element("td", row.cells().get(i), "class", kind(columns.get(i)));
      }
      if (!row.message().isEmpty()) {
        String rest = Integer.toString(columns.size() - row.cells().size());
        to.element("td", row.message(), "colspan", rest, "class", "words");
      }
      to.close().line();
    }
    to.close().close().close().line();
    return true;
  }

  private Table add(boolean isNumber, int columnsMin, String... headers) {
    for (String header : headers) {
      columns.add(new TableColumn(header, isNumber, columnsMin, band));
    }
    return this;
  }

  private static String kind(TableColumn column) {
    return column.isNumber() ? "number" : "words";
  }

  /// ` switches ------ faults ------`
  private String bands(List<String> headers, int[] widths, int gap) {
    StringBuilder line = new StringBuilder();
    for (int from = 0, to; from < columns.size(); from = to) {
      String title = columns.get(from).band();
      to = from + 1;
      while (to < columns.size() && columns.get(to).band().equals(title)) {
        to++;
      }
      if (!title.isEmpty()) {
        int start = line("", headers.subList(0, from), widths, gap).length() + gap;
        int end = line("", headers.subList(0, to), widths, gap).length();
        line.repeat(' ', Math.max(0, start - line.length())).append(title);
        int rest = end - line.length();
        line.append(rest > 1 ? " " + "-".repeat(rest - 1) : "");
      }
    }
    return line.toString();
  }

  private String line(String sign, List<String> cells, int[] widths, int gap) {
    StringBuilder line = new StringBuilder();
    if (hasSigns) {
      int width = rows.stream().mapToInt(row -> Width.of(row.mark().sign())).max().orElse(0);
      // Signs stand close to what they mark.
      line.append(sign).repeat(' ', width - Width.of(sign) + 1);
    }
    for (int i = 0; i < cells.size(); i++) {
      int rest = widths[i] - Width.of(cells.get(i));
      boolean isNumber = columns.get(i).isNumber();
      line.repeat(' ', (i == 0 ? 0 : gap) + (isNumber ? rest : 0)).append(cells.get(i));
      line.repeat(' ', isNumber ? 0 : rest);
    }
    return line.toString();
  }
}

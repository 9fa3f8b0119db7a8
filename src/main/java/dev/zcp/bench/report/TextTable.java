package dev.zcp.bench.report;

import dev.zcp.core.Prose;
import dev.zcp.core.Width;
import java.util.ArrayList;
import java.util.List;

/// Columns as wide as what is in them, two spaces apart, or one where two would make it too wide.
final class TextTable {

  private static final int GAP = 2;
  private static final int GAP_MIN = 1;

  private final List<String> headers = new ArrayList<>();
  private final List<Boolean> rightAligned = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();

  private final List<Band> bands = new ArrayList<>();

  private record Band(String title, int from) {}

  /// @param message what stands in place of the remaining columns, or null
  private record Line(List<String> cells, String message) {}

  /// What the columns that are added from here on have in common, until the next band.
  TextTable band(String title) {
    bands.add(new Band(title, headers.size()));
    return this;
  }

  TextTable left(String... names) {
    return add(false, names);
  }

  TextTable right(String... names) {
    return add(true, names);
  }

  private TextTable add(boolean right, String... names) {
    for (String name : names) {
      headers.add(name);
      rightAligned.add(right);
    }
    return this;
  }

  void row(List<String> cells) {
    if (cells.size() != headers.size()) {
      throw new IllegalArgumentException(cells + " below " + headers);
    }
    lines.add(new Line(List.copyOf(cells), null));
  }

  /// A row that has only its first cells and goes on with a message.
  void row(List<String> cells, String message) {
    lines.add(new Line(List.copyOf(cells), message));
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /// @param columns where a message is broken; the columns themselves are never cut
  List<String> lines(int columns) {
    int[] widths = new int[headers.size()];
    measure(widths, headers);
    for (Line line : lines) {
      measure(widths, line.cells());
    }
    int gap = Width.of(laidOut(headers, widths, GAP)) > columns ? GAP_MIN : GAP;
    List<String> text = new ArrayList<>();
    if (!bands.isEmpty()) {
      text.add(bands(widths, gap));
    }
    text.add(laidOut(headers, widths, gap).stripTrailing());
    for (Line line : lines) {
      String cells = laidOut(line.cells(), widths, gap);
      if (line.message() == null) {
        text.add(cells.stripTrailing());
      } else {
        int indent = Width.of(cells) + gap;
        List<String> message = Prose.wrap(line.message(), Math.max(20, columns - indent));
        text.add(cells + " ".repeat(gap) + message.getFirst());
        for (String more : message.subList(1, message.size())) {
          text.add(" ".repeat(indent) + more);
        }
      }
    }
    return text;
  }

  private static void measure(int[] widths, List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      widths[i] = Math.max(widths[i], Width.of(cells.get(i)));
    }
  }

  /// ` switches ------ faults ------`
  private String bands(int[] widths, int gap) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < bands.size(); i++) {
      Band band = bands.get(i);
      int to = i + 1 < bands.size() ? bands.get(i + 1).from() : widths.length;
      int start = laidOut(headers.subList(0, band.from()), widths, gap).length() + gap;
      int end = laidOut(headers.subList(0, to), widths, gap).length();
      if (!band.title().isEmpty()) {
        line.append(" ".repeat(Math.max(0, start - line.length()))).append(band.title());
        int rest = end - line.length();
        line.append(rest > 1 ? " " + "-".repeat(rest - 1) : "");
      }
    }
    return line.toString();
  }

  private String laidOut(List<String> cells, int[] widths, int gap) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String space = " ".repeat(widths[i] - Width.of(cells.get(i)));
      // The marks of the first column stand close to what they mark.
      line.append(i == 0 ? "" : i == 1 && headers.getFirst().isEmpty() ? " " : " ".repeat(gap));
      line.append(rightAligned.get(i) ? space + cells.get(i) : cells.get(i) + space);
    }
    return line.toString();
  }
}

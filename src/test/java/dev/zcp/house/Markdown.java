package dev.zcp.house;

import java.util.ArrayList;
import java.util.List;

/// What tests read of the project's documents.
final class Markdown {

  private Markdown() {}

  /// The rows of the table whose first header is `first` and whose second is `second`, without the
  /// header; cells are stripped.
  static List<List<String>> table(String document, String first, String second) {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : document.lines().toList()) {
      if (!line.startsWith("|")) {
        inside = false;
        continue;
      }
      List<String> cells = cells(line);
      if (inside) {
        rows.add(cells);
      }
      inside |= cells.size() > 1 && cells.get(0).equals(first) && cells.get(1).equals(second);
    }
    // The rule below the header is no row.
    return rows.isEmpty() ? rows : rows.subList(1, rows.size());
  }

  /// The lines of all code blocks of this language.
  static List<String> code(String document, String language) {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    boolean wanted = false;
    for (String line : document.lines().toList()) {
      if (line.startsWith("```")) {
        inside = !inside;
        wanted = inside && line.equals("```" + language);
      } else if (wanted) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    String inner = line.strip();
    for (String cell : inner.substring(1, inner.lastIndexOf('|')).split("(?<!\\\\)\\|", -1)) {
      cells.add(cell.strip());
    }
    return cells;
  }
}

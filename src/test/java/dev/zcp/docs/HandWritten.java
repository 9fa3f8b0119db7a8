package dev.zcp.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The sections of a manual page that are written by hand, in `src/main/man/NAME.md`.
///
/// It reads only this much of Markdown: `##` begins a section and `###` a part of one; paragraphs,
/// lists with `-`, fenced code, tables, and `code` in backticks. A table of two columns becomes a
/// list of terms, a wider one plain text in columns.
final class HandWritten {

  static final Path FOLDER = Path.of("src/main/man");

  /// What a terminal of 80 columns leaves beside the margins of a page.
  static final int TABLE_COLUMNS_MAX = 72;

  private static final Pattern CELL = Pattern.compile("\\s*\\|\\s*");

  private final Roff roff = new Roff();

  private HandWritten() {}

  /// The roff of each section by its title, in the order of the file; empty if there is no file.
  static Map<String, String> sections(String page) {
    Path file = FOLDER.resolve(page + ".md");
    try {
      return Files.exists(file) ? sectionsOf(Files.readString(file)) : Map.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, String> sectionsOf(String markdown) {
    Map<String, String> sections = new LinkedHashMap<>();
    String title = null;
    List<String> lines = new ArrayList<>();
    for (String line : markdown.lines().toList()) {
      if (line.startsWith("## ")) {
        if (title != null) {
          sections.put(title, new HandWritten().section(lines));
        }
        title = line.substring(3);
        lines.clear();
      } else {
        lines.add(line);
      }
    }
    if (title != null) {
      sections.put(title, new HandWritten().section(lines));
    }
    return sections;
  }

  private String section(List<String> lines) {
    int at = 0;
    while (at < lines.size()) {
      int end = at + 1;
      String first = lines.get(at);
      if (first.startsWith("```")) {
        while (!lines.get(end).startsWith("```")) {
          end++;
        }
        roff.literal(lines.subList(at + 1, end));
        end++;
      } else if (first.startsWith("### ")) {
        roff.part(first.substring(4));
      } else if (!first.isBlank()) {
        while (end < lines.size() && continues(lines.get(end))) {
          end++;
        }
        block(lines.subList(at, end));
      }
      at = end;
    }
    return roff.toString();
  }

  private static boolean continues(String line) {
    return !line.isBlank() && !line.startsWith("- ") && !line.startsWith("```");
  }

  private void block(List<String> lines) {
    String first = lines.getFirst();
    if (first.startsWith("|")) {
      table(lines.stream().map(HandWritten::cells).toList());
    } else if (first.startsWith("- ")) {
      roff.item(joined(lines).substring(2));
    } else {
      roff.paragraph(joined(lines));
    }
  }

  private static String joined(List<String> lines) {
    return String.join(" ", lines.stream().map(String::strip).toList());
  }

  private static List<String> cells(String row) {
    String inner = row.substring(row.indexOf('|') + 1, row.lastIndexOf('|')).strip();
    return List.of(CELL.split(inner, -1));
  }

  /// @param rows the header and the rule below it first
  private void table(List<List<String>> rows) {
    if (rows.getFirst().size() == 2) {
      for (List<String> row : rows.subList(2, rows.size())) {
        roff.entry(row.get(0), row.get(1));
      }
      return;
    }
    List<List<String>> shown = new ArrayList<>(rows);
    shown.remove(1);
    roff.literal(shown.stream().map(row -> line(row, shown)).toList());
  }

  private static String line(List<String> row, List<List<String>> rows) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      int index = column;
      int width =
          rows.stream().mapToInt(other -> plain(other.get(index)).length()).max().orElseThrow();
      String cell = plain(row.get(column));
      line.append(cell).repeat(' ', width - cell.length() + 2);
    }
    String text = line.toString().stripTrailing();
    if (text.length() > TABLE_COLUMNS_MAX) {
      throw new IllegalArgumentException("wider than " + TABLE_COLUMNS_MAX + " columns: " + text);
    }
    return text;
  }

  private static String plain(String cell) {
    return cell.replace("`", "");
  }
}

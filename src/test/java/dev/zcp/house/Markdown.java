package dev.zcp.house;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What tests read of the project's documents.
public final class Markdown {

  private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");

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

  /// A fenced block of code.
  ///
  /// @param info what stands behind the fence that opens it: a language and more words
  public record Block(String info, List<String> lines) {}

  /// All code blocks, in their order.
  public static List<Block> blocks(String document) {
    List<Block> blocks = new ArrayList<>();
    boolean inside = false;
    for (String line : document.lines().toList()) {
      if (line.startsWith("```")) {
        inside = !inside;
        if (inside) {
          blocks.add(new Block(line.substring(3), new ArrayList<>()));
        }
      } else if (inside) {
        blocks.getLast().lines().add(line);
      }
    }
    return blocks;
  }

  /// The lines of all code blocks of this language.
  static List<String> code(String document, String language) {
    return blocks(document).stream()
        .filter(block -> block.info().equals(language))
        .flatMap(block -> block.lines().stream())
        .toList();
  }

  /// What stands in backticks within lines.
  static List<String> spans(String document) {
    return SPAN.matcher(document).results().map(match -> match.group(1)).toList();
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

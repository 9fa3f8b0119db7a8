package dev.zcp.core;

import java.util.ArrayList;
import java.util.List;

/// Words into phrases, phrases into lines.
public final class Prose {

  private Prose() {}

  /// `1 file`, `2 files`, `12,345 files`.
  public static String count(long count, String noun) {
    return grouped(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /// `999`, `1,000`, `1,234,567`.
  public static String grouped(long count) {
    String digits = Long.toString(count);
    if (count < 1000) {
      return digits;
    }
    StringBuilder grouped = new StringBuilder(digits);
    for (int i = digits.length() - 3; i > 0; i -= 3) {
      grouped.insert(i, ',');
    }
    return grouped.toString();
  }

  /// `a`, `a and b`, `a, b and c`.
  public static String list(List<String> words) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < words.size(); i++) {
      if (i > 0) {
        list.append(i == words.size() - 1 ? " and " : ", ");
      }
      list.append(words.get(i));
    }
    return list.toString();
  }

  /// `text` in lines of at most `columns`, broken at spaces, all but the first indented by two. A
  /// word longer than a line has a line of its own and stays whole.
  public static List<String> wrap(String text, int columns) {
    return wrap(text, columns, 2);
  }

  /// As [#wrap(String, int)], with another indentation.
  public static List<String> wrap(String text, int columns, int indent) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int lineColumns = 0;
    for (String word : text.split(" ")) {
      int wordColumns = Width.of(word);
      if (lineColumns > 0 && lineColumns + 1 + wordColumns > columns) {
        lines.add(line.toString());
        line.setLength(0);
        line.repeat(' ', indent).append(word);
        lineColumns = indent + wordColumns;
      } else {
        line.append(lineColumns > 0 ? " " : "").append(word);
        lineColumns += (lineColumns > 0 ? 1 : 0) + wordColumns;
      }
    }
    lines.add(line.toString());
    return lines;
  }
}

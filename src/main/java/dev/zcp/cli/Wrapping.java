package dev.zcp.cli;

import dev.zcp.core.Prose;

/// Lays text out for a terminal of 80 columns.
final class Wrapping {

  static final int COLUMNS = 80;

  private Wrapping() {}

  /// Appends `text` and a line feed.
  ///
  /// @param column where the first line begins: what is left of it is in `target` already
  /// @param indent where further lines begin, not left of `column`
  static void append(StringBuilder target, String text, int column, int indent) {
    String before = "";
    for (String line : Prose.wrap(text, COLUMNS - column, indent - column)) {
      target.append(before).append(line);
      before = "\n" + " ".repeat(column);
    }
    target.append('\n');
  }
}

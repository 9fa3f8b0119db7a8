package dev.zcp.cli;

/// Breaks lines at spaces, so that a text stays within a terminal of 80 columns.
final class Wrapping {

  static final int COLUMNS = 80;

  private Wrapping() {}

  /// Appends `text` and a line feed. A word that is too long for a line stays whole.
  ///
  /// @param column where the first line of `target` stands already
  /// @param indent where every further line begins
  static void append(StringBuilder target, String text, int column, int indent) {
    int at = column;
    int start = 0;
    boolean first = true;
    while (start < text.length()) {
      int space = text.indexOf(' ', start);
      int end = space < 0 ? text.length() : space;
      int length = end - start;
      if (!first && at + 1 + length > COLUMNS) {
        target.append('\n').repeat(' ', indent);
        at = indent;
      } else if (!first) {
        target.append(' ');
        at++;
      }
      target.append(text, start, end);
      at += length;
      first = false;
      start = end + 1;
    }
    target.append('\n');
  }
}

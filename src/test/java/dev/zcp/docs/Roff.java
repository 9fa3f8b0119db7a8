package dev.zcp.docs;

import java.util.List;

/// Text in man(7), clean by `mandoc -Tlint`. Words in backticks are bold.
final class Roff {

  private static final int LINE_CHARS_MAX = 78;

  private final StringBuilder text = new StringBuilder();

  /// Whether what comes next needs a macro that ends what came before.
  private boolean isBegun;

  /// Adds lines of roff as they are.
  Roff raw(String lines) {
    text.append(lines);
    return this;
  }

  void part(String title) {
    text.append(".SS ").append(escaped(title)).append('\n');
    isBegun = false;
  }

  void paragraph(String paragraph) {
    text.append(isBegun ? ".PP\n" : "");
    words(paragraph);
    isBegun = true;
  }

  void item(String item) {
    text.append(".IP \\(bu 2\n");
    words(item);
    isBegun = true;
  }

  /// A term and what it means.
  void entry(String term, String meaning) {
    entryInRoff(styled(term), meaning);
  }

  void entryInRoff(String term, String meaning) {
    text.append(".TP\n").append(term).append('\n');
    words(meaning);
    isBegun = true;
  }

  /// Lines that are not filled, as of a terminal.
  void literal(List<String> lines) {
    text.append(isBegun ? ".PP\n" : "").append(".nf\n");
    for (String line : lines) {
      text.append(escaped(line)).append('\n');
    }
    text.append(".fi\n");
    isBegun = true;
  }

  /// A sentence begins a line, as roff wants it, and no line is long.
  private void words(String paragraph) {
    for (String sentence : paragraph.split("(?<=[.?!:]) +(?=[`]?[A-Z(\\[])")) {
      StringBuilder line = new StringBuilder();
      for (String styled : styled(sentence).split(" ")) {
        String word = styled.startsWith(".") ? "\\&" + styled : styled;
        if (!line.isEmpty() && line.length() + 1 + word.length() > LINE_CHARS_MAX) {
          text.append(line).append('\n');
          line.setLength(0);
        }
        line.append(line.isEmpty() ? "" : " ").append(word);
      }
      text.append(line).append('\n');
    }
  }

  static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fR";
  }

  private static String styled(String text) {
    StringBuilder styled = new StringBuilder();
    boolean code = false;
    for (String part : text.split("`", -1)) {
      styled.append(code ? bold(part) : part.isEmpty() ? "" : escaped(part));
      code = !code;
    }
    return styled.toString();
  }

  /// Text as it is: a quote is no control line, a hyphen no dash, a tilde no accent.
  static String escaped(String text) {
    String escaped =
        text.replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("'", "\\(aq")
            .replace("~", "\\(ti")
            .replace("^", "\\(ha");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

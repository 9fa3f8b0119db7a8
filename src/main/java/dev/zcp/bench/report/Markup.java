package dev.zcp.bench.report;

import dev.zcp.core.Printable;
import java.util.ArrayDeque;
import java.util.Deque;

/// Writes HTML that is well-formed XML as well: every element is closed, every text escaped, and
/// nothing can be written that is neither.
final class Markup {

  private final StringBuilder text = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /// Begins an element. Its attributes are names and values in turn.
  Markup open(String tag, String... attributes) {
    begin(tag, attributes);
    text.append('>');
    open.push(tag);
    return this;
  }

  /// Ends the element that was begun last.
  Markup close() {
    text.append("</").append(open.pop()).append('>');
    return this;
  }

  /// An element that holds nothing.
  Markup empty(String tag, String... attributes) {
    begin(tag, attributes);
    text.append("/>");
    return this;
  }

  /// An element that holds text alone.
  Markup element(String tag, String content, String... attributes) {
    return open(tag, attributes).text(content).close();
  }

  /// Text; whatever would be markup or unprintable in it is escaped.
  Markup text(String content) {
    text.append(escaped(content));
    return this;
  }

  Markup line() {
    text.append('\n');
    return this;
  }

  /// A style sheet of our own, which holds nothing that XML would take for markup.
  Markup style(String sheet) {
    if (sheet.indexOf('<') >= 0 || sheet.indexOf('&') >= 0) {
      throw new IllegalArgumentException("markup in a style sheet");
    }
    text.append("<style>").append(sheet).append("</style>");
    return this;
  }

  /// All of it, below the line that says it is HTML.
  String page() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("never closed: " + open);
    }
    return "<!DOCTYPE html>\n" + text + "\n";
  }

  private void begin(String tag, String... attributes) {
    text.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(escaped(attributes[i + 1])).append('"');
    }
  }

  private static String escaped(String content) {
    // Control characters, of which XML allows no form at all, are gone after this.
    String printable = Printable.ofPhrase(content);
    StringBuilder escaped = new StringBuilder(printable.length());
    for (int i = 0; i < printable.length(); i++) {
      char c = printable.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        // The two that Unicode says are no characters, and XML forbids.
        case '\ufffe', '\uffff' -> escaped.append("?");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}

package dev.zcp.report;

import dev.zcp.core.Printable;
import java.util.ArrayDeque;
import java.util.Deque;

/// A page for a browser. It has no script, asks for nothing from anywhere, and says so in a policy
/// that the browser keeps.
///
/// It is well-formed XML as well: every element is closed, every text escaped, and nothing can be
/// written that is neither.
public final class HtmlPage {

  /// The style sheet within the page, and nothing else: no script, no picture, no font, no network.
  private static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

  private final StringBuilder text = new StringBuilder("<!DOCTYPE html>\n");
  private final Deque<String> open = new ArrayDeque<>();

  /// A page with its head, and its `main` still open.
  public HtmlPage(String title) {
    open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").line();
    open("head").line();
    empty("meta", "charset", "utf-8").line();
    empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY).line();
    empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1").line();
    empty("meta", "name", "color-scheme", "content", "light dark").line();
    element("title", title).line();
    text.append("<style>").append(PageStyle.SHEET).append("</style>\n");
    close().line();
    open("body").open("main").line();
  }

  /// Begins an element. Its attributes are names and values in turn.
  public HtmlPage open(String tag, Object... attributes) {
    begin(tag, attributes);
    text.append('>');
    open.push(tag);
    return this;
  }

  public HtmlPage close() {
    text.append("</").append(open.pop()).append('>');
    return this;
  }

  public HtmlPage empty(String tag, Object... attributes) {
    begin(tag, attributes);
    text.append("/>");
    return this;
  }

  public HtmlPage element(String tag, String content, Object... attributes) {
    return open(tag, attributes).text(content).close();
  }

  public HtmlPage section(String heading) {
    return open("section").element("h2", heading).line();
  }

  /// A paragraph that explains what is above it.
  public HtmlPage note(String content) {
    return element("p", content, "class", "note").line();
  }

  /// A line of a list of facts, if there is a value.
  public HtmlPage fact(String name, String value) {
    return value.isEmpty()
        ? this
        : open("div").element("dt", name).element("dd", value).close().line();
  }

  /// Ends a figure.
  public void caption(String content) {
    element("figcaption", content).close().line();
  }

  /// Text; whatever would be markup or unprintable in it is escaped.
  public HtmlPage text(String content) {
    text.append(escaped(content));
    return this;
  }

  public HtmlPage line() {
    text.append('\n');
    return this;
  }

  /// All of it. Nothing can be added any more.
  public String html() {
    close().close().close();
    if (!open.isEmpty()) {
      throw new IllegalStateException("never closed: " + open);
    }
    return text + "\n";
  }

  private void begin(String tag, Object... attributes) {
    text.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(escaped(attributes[i + 1].toString())).append('"');
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

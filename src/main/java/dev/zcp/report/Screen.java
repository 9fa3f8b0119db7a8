package dev.zcp.report;

import dev.zcp.core.Width;
import java.io.PrintStream;
import java.util.List;

/// Standard error, shared by all who write to it: whole lines, and below them at most one status
/// line that stays the last line until it is erased. Any thread may call it; lines never
/// interleave.
public final class Screen {

  /// Carriage return, then erase to the end of the line (ECMA-48 EL): right whatever the width of
  /// what was there before.
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean unicode;

  // All below is guarded by this.
  private String status = "";
  private boolean asking;
  private boolean closed;

  /// @param unicode whether `out` and the terminal behind it carry UTF-8; else all is ASCII, and
  ///   other characters are written as their code point in hexadecimal, as [dev.zcp.core.Printable]
  ///   does
  public Screen(PrintStream out, boolean unicode) {
    this.out = out;
    this.unicode = unicode;
  }

  public boolean isUnicode() {
    return unicode;
  }

  /// Erases the status line for good: for a process that is about to end.
  public synchronized void close() {
    status("");
    closed = true;
  }

  /// Shows `question` in place of the status line, which stays away until it is [#answered].
  public synchronized void ask(String question) {
    status(legible(question));
    asking = true;
  }

  /// The question is over.
  ///
  /// @param brokeLine whether the answer ended in a line break, so that the question stays above
  public synchronized void answered(boolean brokeLine) {
    asking = false;
    if (brokeLine) {
      status = "";
    } else {
      status("");
    }
  }

  public void line(String text) {
    lines(List.of(text));
  }

  /// Shows `text` as the status line, or as much of it as fits into `columns`.
  public void status(String text, int columns) {
    // The last column stays free: some terminals wrap as soon as it is written.
    status(Width.head(legible(text), columns - 1));
  }

  /// Writes whole lines, above the status line if there is one.
  synchronized void lines(List<String> texts) {
    StringBuilder block = new StringBuilder(status.isEmpty() ? "" : ERASE);
    for (String text : texts) {
      block.append(legible(text)).append('\n');
    }
    out.print(block.append(status));
    out.flush();
  }

  /// Shows `text` as the status line in place of the one before; empty for none.
  ///
  /// @param text [#legible], and shorter than the terminal is wide
  synchronized void status(String text) {
    if (closed || asking || text.equals(status)) {
      return;
    }
    out.print(status.isEmpty() ? text : ERASE + text);
    out.flush();
    status = text;
  }

  /// `text` as this screen can show it.
  String legible(String text) {
    int plain = 0;
    while (plain < text.length() && (unicode || text.charAt(plain) < 0x80)) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder ascii = new StringBuilder(text.substring(0, plain));
    for (int i = plain; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int codePoint = text.codePointAt(i);
      if (codePoint < 0x80) {
        ascii.append((char) codePoint);
      } else {
        ascii.append("\\u{").append(Integer.toHexString(codePoint)).append('}');
      }
    }
    return ascii.toString();
  }
}

package dev.zcp.report;

import dev.zcp.core.Width;
import java.io.PrintStream;
import java.util.List;
import java.util.function.IntSupplier;

/// Standard error, shared by all who write to it: whole lines, and below them at most one status
/// line that stays the last line until it is erased. Any thread may call it; lines never
/// interleave.
public final class Screen {

  /// Carriage return, then erase to the end of the line (ECMA-48 EL): right whatever the width of
  /// what was there before.
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean unicode;
  private final IntSupplier columns;

  // All below is guarded by this.
  private String status = "";
  private boolean asking;
  private boolean closed;

  /// @param unicode whether `out` and the terminal behind it carry UTF-8; else all is ASCII, and
  ///   other characters are written as their code point in hexadecimal, as [dev.zcp.core.Printable]
  ///   does
  /// @param columns how wide it is now, asked whenever something is laid out for it
  public Screen(PrintStream out, boolean unicode, IntSupplier columns) {
    this.out = out;
    this.unicode = unicode;
    this.columns = columns;
  }

  int columns() {
    return columns.getAsInt();
  }

  public boolean isUnicode() {
    return unicode;
  }

  /// Erases the status line for good: for a process that is about to end.
  public synchronized void close() {
    status("");
    closed = true;
  }

  /// Leaves the line at which the terminal has shown `^C`, with what is on it, and shows no status
  /// line any more.
  public synchronized void breakOff() {
    out.print('\n');
    out.flush();
    status = "";
    closed = true;
  }

  /// Shows `question` in place of the status line, which stays away until it is [#answered].
  public synchronized void ask(String question) {
    status(question);
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

  /// Writes whole lines, above the status line if there is one.
  synchronized void lines(List<String> texts) {
    StringBuilder block = new StringBuilder(status.isEmpty() ? "" : ERASE);
    for (String text : texts) {
      block.append(legible(text)).append('\n');
    }
    out.print(block.append(status));
    out.flush();
  }

  /// Shows `text`, or as much of it as fits, as the status line in place of the one before; empty
  /// for none.
  public synchronized void status(String text) {
    // The last column stays free: some terminals wrap as soon as it is written.
    String shown = text.isEmpty() ? text : Width.head(legible(text), columns() - 1);
    if (closed || asking || shown.equals(status)) {
      return;
    }
    out.print(status.isEmpty() ? shown : ERASE + shown);
    out.flush();
    status = shown;
  }

  /// `text` as this screen can show it.
  String legible(String text) {
    if (unicode) {
      return text;
    }
    StringBuilder ascii = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
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

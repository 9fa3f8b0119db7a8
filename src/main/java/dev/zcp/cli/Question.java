package dev.zcp.cli;

import dev.zcp.core.Consent;
import dev.zcp.report.Screen;
import java.io.IOException;
import java.io.InputStream;

/// Asks on the terminal, one question at a time: whoever asks meanwhile waits.
///
/// The answer is a line. `y` and `yes` are yes, whatever the locale and the case; all else is no,
/// and so is the end of the input.
final class Question implements Consent {

  /// What a terminal takes as one line: termios(3).
  private static final int LINE_BYTES_MAX = 4096;

  private static final int END = -1;

  private final Screen screen;
  private final InputStream in;

  Question(Screen screen, InputStream in) {
    this.screen = screen;
    this.in = in;
  }

  @Override
  public synchronized boolean isGiven(String question) {
    screen.ask("zcp: " + question + " (y/n) ");
    boolean ended = false;
    try {
      StringBuilder line = new StringBuilder();
      ended = !read(line);
      String answer = line.toString().strip();
      return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    } catch (IOException e) {
      // The terminal hung up, and nobody is there any more.
      return false;
    } finally {
      screen.answered(!ended);
    }
  }

  /// Whether the line ended, and not the input.
  private boolean read(StringBuilder line) throws IOException {
    for (int b = in.read(); b != END; b = in.read()) {
      if (b == '\n') {
        return true;
      }
      if (line.length() < LINE_BYTES_MAX) {
        line.append((char) b);
      }
    }
    return false;
  }
}

package dev.zcp.report;

import dev.zcp.insight.Event;
import dev.zcp.insight.Listener;
import java.io.PrintStream;

/// Prints the URL to send to, alone on its line and flushed at once, so that a script can read it
/// and start the sender.
public final class UrlLine implements Listener {

  private final PrintStream out;

  /// @param out standard output, or standard error where standard output carries data
  public UrlLine(PrintStream out) {
    this.out = out;
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Listening listening) {
      out.print(listening.url() + "\n");
      out.flush();
    }
  }
}

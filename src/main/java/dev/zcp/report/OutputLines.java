package dev.zcp.report;

import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Planned;
import java.io.PrintStream;

/// Prints what a script reads: the URL to send to, what a dry run would do, and what was copied.
public final class OutputLines implements Listener {

  /// Lines of a dry run go out by the block: a tree has a million of them.
  private static final int BLOCK_CHARS = 8192;

  private final PrintStream out;
  private final boolean namesEach;
  private final StringBuilder block = new StringBuilder();

  /// @param out standard output, or standard error if standard output carries data
  /// @param namesEach whether to print each entry that was copied, in the form of `cp -v`
  public OutputLines(PrintStream out, boolean namesEach) {
    this.out = out;
    this.namesEach = namesEach;
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Listening listening) {
      // Alone on its line and flushed at once, so that a script can start the sender.
      block.append(listening.url()).append('\n');
      flush();
    } else if (namesEach && event instanceof Event.Placed placed) {
      // At once, for a person who watches.
      block.append('\'').append(placed.name()).append("' -> '");
      block.append(placed.target()).append("'\n");
      flush();
    } else if (event instanceof Event.PlanLine plan) {
      block.append(plan.action().label()).append(' ').append(plan.name());
      if (plan.action() != Planned.DELETE) {
        block.append(" -> ").append(plan.target());
      }
      block.append('\n');
      if (block.length() >= BLOCK_CHARS) {
        flush();
      }
    } else if (event instanceof Event.Finished) {
      // Before the summary of a dry run, if both go to one terminal.
      flush();
    }
  }

  @Override
  public boolean hearsEachFile() {
    return namesEach;
  }

  private void flush() {
    out.print(block);
    out.flush();
    block.setLength(0);
  }
}

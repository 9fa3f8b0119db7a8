package dev.zcp.report;

import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonTable;
import dev.zcp.report.EventTables.Line;
import dev.zcp.report.Throughput.Course;
import java.io.PrintStream;

/// Tells a program what happens: JSON in UTF-8, one object a line, each with its kind in `event`;
/// the last of a session is its `result`. What is not known is `null`. Not told are a file's start
/// and its target: they would double the lines of a tree of small files, and say little that its
/// end does not.
public final class JsonReport implements Listener {

  private final PrintStream out;

  private final Throughput throughput;

  private final RunContext context;

  private final JsonLines lines = new JsonLines();

  /// @param out where the lines go, each written and flushed as a whole. Its owner must call
  ///   [PrintStream#checkError] to know if they were written
  public JsonReport(PrintStream out) {
    this(out, null, null);
  }

  /// @param throughput what looks at the rates, and hears each event before this object; or null
  /// @param context null if it is not known
  public JsonReport(PrintStream out, Throughput throughput, RunContext context) {
    this.out = out;
    this.throughput = throughput;
    this.context = context;
  }

  @Override
  public void on(Event event) {
    on(event, null);
  }

  @Override
  public void on(Event event, SessionName session) {
    JsonTable<Line<Event>> table = EventTables.of(event.getClass());
    if (table == null) {
      return;
    }
    Course course = null;
    if (throughput != null && event instanceof Event.Finished finished) {
      course = throughput.courseOf(session);
      course = course == null ? null : course.until(finished.result().elapsedNs());
    }
    byte[] line = lines.line(table, new Line<>(event, session, course, context));
    out.write(line, 0, line.length);
    out.flush();
  }
}

package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.SessionName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keeps what `--json` would have written of a run: its first failures and its result, and nothing
/// of single files. Belongs to one thread.
public final class RunRecorder {

  private final Throughput throughput;

  /// The first failures of sessions under way, by their numbers; of a copy by 0.
  private final Map<Integer, List<Event>> failures = new HashMap<>();

  /// @param throughput hears each event before this object does
  public RunRecorder(Throughput throughput) {
    this.throughput = throughput;
  }

  /// Hears what happens before the end.
  public void on(Event event, SessionName session) {
    if (event instanceof Event.FileFailed || event instanceof Event.Failed) {
      List<Event> all = failures.computeIfAbsent(Throughput.key(session), _ -> new ArrayList<>());
      if (all.size() < SavedRuns.FAILURES_MAX) {
        all.add(event);
      }
    }
  }

  /// A run that is over, as lines of JSON. Nothing is kept of it any more.
  public byte[] lines(Event.Finished end, SessionName session, RunContext context) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8);
    JsonReport report = new JsonReport(out, throughput, context);
    List<Event> all = failures.remove(Throughput.key(session));
    if (all != null) {
      all.forEach(failure -> report.on(failure, session));
    }
    report.on(end, session);
    return text.toByteArray();
  }

  /// Nothing is kept of a run any more.
  public void forget(SessionName session) {
    failures.remove(Throughput.key(session));
  }

  /// The page of a run, which is the one that `zcp report` makes.
  ///
  /// @throws Failure INTERNAL if it cannot be made
  public static byte[] page(byte[] lines) throws Failure {
    SavedRuns saved = new SavedRuns();
    try {
      saved.read(new ByteArrayInputStream(lines), "zcp");
      return RunPage.of(List.of(saved.runs().getLast()));
    } catch (Failure | IOException e) {
      throw Failure.of(ExitCode.INTERNAL, "the page cannot be made: " + e.getMessage()).because(e);
    }
  }
}

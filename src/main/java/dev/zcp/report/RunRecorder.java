package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes the page of a run from what `--json` would have written of it, so that it is the page that
/// `zcp report` makes. Keeps the first failures of each session and nothing of single files.
/// Belongs to one thread.
public final class RunRecorder implements Listener {

  private final Throughput throughput;

  /// By the number of the session, 0 of a copy.
  private final Map<Integer, Recording> recordings = new HashMap<>();

  private static final class Recording {
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final JsonReport report;
    private int failures;

    Recording(Throughput throughput) {
      report = new JsonReport(new PrintStream(text, false, StandardCharsets.UTF_8), throughput);
    }
  }

  /// @param throughput hears each event before this object does
  public RunRecorder(Throughput throughput) {
    this.throughput = throughput;
  }

  @Override
  public void on(Event event) {
    on(event, null);
  }

  @Override
  public void on(Event event, SessionName session) {
    boolean isFailure = event instanceof Event.FileFailed || event instanceof Event.Failed;
    if (!isFailure && !(event instanceof Event.Finished)) {
      return;
    }
    Recording recording =
        recordings.computeIfAbsent(Throughput.key(session), number -> new Recording(throughput));
    if (!isFailure || recording.failures++ < SavedRuns.FAILURES_MAX) {
      recording.report.on(event, session);
    }
  }

  @Override
  public boolean hearsEachFile() {
    return false;
  }

  /// The page of a run that is [over][Event.Finished], of which nothing is kept any more.
  ///
  /// @throws Failure INTERNAL if it cannot be made
  public byte[] page(SessionName session) throws Failure {
    Recording recording = recordings.remove(Throughput.key(session));
    SavedRuns saved = new SavedRuns();
    try {
      saved.read(new ByteArrayInputStream(recording.text.toByteArray()), "zcp");
      return RunPage.of(List.of(saved.runs().getLast()));
    } catch (Failure | IOException e) {
      throw Failure.of(ExitCode.INTERNAL, "the page cannot be made: " + e.getMessage()).because(e);
    }
  }
}

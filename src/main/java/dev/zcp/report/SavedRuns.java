package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonObject.MalformedJson;
import dev.zcp.json.JsonType;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs that were saved with `--json`. A file is read line by line, so that a line for each of a
/// million files takes no memory; a result is kept as it is written, its histograms undecoded.
public final class SavedRuns {

  /// Above what a result with all its losses takes.
  static final int LINE_BYTES_MAX = 4 << 20;

  static final int RUNS_MAX = 1000;

  private static final long RESULT_BYTES_MAX = 32 << 20;

  /// How many failures of a run are kept; the others are counted.
  static final int FAILURES_MAX = 100;

  /// The values of all results together: each takes some hundred bytes of memory, however short it
  /// is written.
  private static final long RESULT_VALUES_MAX = 2_000_000;

  /// The messages of all failures that are kept, together.
  private static final long MESSAGES_CHARS_MAX = 4 << 20;

  /// Sessions of one process that are under way at once.
  private static final int SESSIONS_MAX = 10_000;

  private static final byte[] OF_A_FILE =
      "{\"event\":\"file\",".getBytes(StandardCharsets.US_ASCII);

  private static final JsonType<String> NO_TEXT = JsonType.TEXT.orNull("");
  private static final JsonType<Long> NO_CODE = JsonType.COUNT.orNull(0L);

  private final List<SavedRun> runs = new ArrayList<>();

  /// Of files that are cut short, and have results all the same.
  private final List<Failure> cutShort = new ArrayList<>();

  private long resultBytes;
  private long resultValues;
  private long messagesChars;

  /// What is known of a run whose result is still to come.
  private static final class RunUnderWay {
    private boolean started;
    private long failed;
    private int differing;
    private final List<String> failures = new ArrayList<>();
  }

  public List<SavedRun> runs() {
    return runs;
  }

  /// What to tell of files that have more than the [#runs], which was lost: as of a listener that
  /// was stopped while a session went on.
  public List<Failure> cutShort() {
    return cutShort;
  }

  /// Reads the runs of one file, which are added to [#runs].
  ///
  /// @param name of the file, printable
  /// @throws Failure SOURCE if it is empty, too large or nothing that zcp wrote, or if it is cut
  ///   short before its first result
  /// @throws IOException if it cannot be read
  public void read(InputStream in, String name) throws Failure, IOException {
    Map<Long, RunUnderWay> underWay = new HashMap<>();
    int runsBefore = runs.size();
    int number = 0;
    BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
    for (byte[] line = line(buffered); line != null; line = line(buffered)) {
      number++;
      if (line.length > LINE_BYTES_MAX) {
        throw bad(name, "line " + number + " is too long for an event of 'zcp --json'", null);
      }
      boolean isComplete = line.length > 0 && line[line.length - 1] == '\n';
      if (isComplete && Arrays.mismatch(line, OF_A_FILE) == OF_A_FILE.length) {
        continue;
      }
      try {
        JsonObject event = JsonObject.parse(line, "line " + number + " ");
        if (event.get("event", NO_TEXT).isEmpty()) {
          throw new MalformedJson("line " + number + " is not an event");
        }
        take(event, line.length, name, runs.size() - runsBefore, underWay);
      } catch (MalformedJson e) {
        if (isComplete) {
          throw bad(name, e.getMessage(), e).with("zcp report reads what --json wrote");
        }
        cutShort(bad(name, "is cut short at line " + number, e), runsBefore);
        return;
      }
    }
    if (number == 0) {
      throw bad(name, "is empty", null);
    }
    if (underWay.values().stream().anyMatch(run -> run.started)) {
      cutShort(bad(name, "is cut short: a run in it has no result", null), runsBefore);
    } else if (runs.size() == runsBefore) {
      throw bad(name, "has no result of 'zcp --json'", null);
    }
  }

  private void cutShort(Failure how, int runsBefore) throws Failure {
    if (runs.size() == runsBefore) {
      throw how;
    }
    cutShort.add(how.with("its other runs are shown"));
  }

  private void take(
      JsonObject event, int bytes, String name, int runsOfFile, Map<Long, RunUnderWay> underWay)
      throws Failure {
    String kind = event.get("event", JsonType.TEXT);
    long session = event.get("session", JsonType.COUNT.orNull(0L));
    if (underWay.size() > SESSIONS_MAX) {
      throw bad(name, "has too many sessions without a result", null);
    }
    switch (kind) {
      case "started" -> underWay.computeIfAbsent(session, key -> new RunUnderWay()).started = true;
      case "fileFailed", "failed" -> {
        RunUnderWay run = underWay.computeIfAbsent(session, key -> new RunUnderWay());
        boolean isDifference = event.get("exitCode", NO_CODE) == ExitCode.INTEGRITY.number();
        run.differing += kind.equals("fileFailed") && isDifference ? 1 : 0;
        String message = event.get("message", NO_TEXT);
        if (run.failed++ < FAILURES_MAX && messagesChars + message.length() <= MESSAGES_CHARS_MAX) {
          messagesChars += message.length();
          run.failures.add(message);
        }
      }
      case "result" -> {
        resultBytes += bytes;
        resultValues += event.values();
        if (resultBytes > RESULT_BYTES_MAX
            || resultValues > RESULT_VALUES_MAX
            || runs.size() == RUNS_MAX) {
          throw bad(name, "has more than can be compared", null);
        }
        RunUnderWay run = underWay.remove(session);
        run = run == null ? new RunUnderWay() : run;
        String called = runsOfFile == 0 ? name : name + "#" + (runsOfFile + 1);
        runs.add(SavedRun.of(called, name, event, run.failures, run.failed, run.differing));
      }
      default -> {}
    }
  }

  private static Failure bad(String name, String what, MalformedJson cause) {
    return Failure.of(ExitCode.SOURCE, name, what).because(cause);
  }

  /// The next line with its line feed, or more than [#LINE_BYTES_MAX] of it; null at the end.
  private static byte[] line(BufferedInputStream in) throws IOException {
    int next = in.read();
    if (next < 0) {
      return null;
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    while (next >= 0 && line.size() <= LINE_BYTES_MAX) {
      line.write(next);
      if (next == '\n') {
        break;
      }
      next = in.read();
    }
    return line.toByteArray();
  }
}

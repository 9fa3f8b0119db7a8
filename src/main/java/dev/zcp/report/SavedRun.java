package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Rate;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Event;
import dev.zcp.insight.HeatMap;
import dev.zcp.insight.HeatMap.HeatCounts;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonObject.MalformedJson;
import dev.zcp.report.LatencyTable.StageRow;
import dev.zcp.report.Throughput.Course;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A run that is over, as its `result` of `--json` tells it.
///
/// @param name the file it is from, printable, and the number of the run if the file has several
/// @param file the file alone
/// @param json the result
/// @param result the same, as far as this zcp knows its fields; without latencies, whose histograms
///   take much memory
/// @param failures the first of them, as messages
/// @param failed how many there were
/// @param differing of how many files a comparison found that they differ
public record SavedRun(
    String name,
    String file,
    JsonObject json,
    Result result,
    List<String> failures,
    long failed,
    int differing) {

  /// More would not be seen.
  private static final int STEPS_MAX = 10_000;

  /// @throws MalformedJson if a field is not what it should be
  public static SavedRun of(
      String name, String file, JsonObject json, List<String> failures, long failed) {
    return of(name, file, json, failures, failed, 0);
  }

  static SavedRun of(
      String name,
      String file,
      JsonObject json,
      List<String> failures,
      long failed,
      int differing) {
    Result result = EventTables.RESULT.read(json);
    // A run that was not written by --json tells only the first failures: the others are like them.
    boolean isAll = differing > 0 && differing == failed;
    SavedRun run =
        new SavedRun(
            name,
            file,
            json,
            result,
            List.copyOf(failures),
            failed,
            isAll ? result.filesFailed() : differing);
    if (!json.has("latencies")) {
      throw json.malformed("latencies");
    }
    // So that what cannot be read is found while its line is known.
    run.origin();
    run.rows();
    run.course();
    run.heat();
    return run;
  }

  /// When, where and by which command, as far as it is known: `2026-11-27T04:05:06.789Z: zcp copy
  /// -a photos /backup, zcp 0.1.0, host (Linux 6.18, 2 processors)`.
  String origin() {
    RunContext context = EventTables.CONTEXT.read(json);
    List<String> parts = new ArrayList<>();
    parts.add(context.commandLine());
    parts.add(context.version().isEmpty() ? "" : "zcp " + context.version());
    parts.add(context.machine());
    parts.removeIf(String::isEmpty);
    String startedAt = json.get("startedAt", EventTables.PHRASE_IF_ANY);
    String all = String.join(", ", parts);
    return startedAt.isEmpty() || all.isEmpty() ? startedAt + all : startedAt + ": " + all;
  }

  Rate rate() {
    return new Rate(result.bytes(), result.elapsedNs());
  }

  /// What limited it; null if it does not say.
  Bottleneck verdict() {
    return result.findings().bottleneck();
  }

  /// When its steps over time begin: its clock runs from the login by ssh on, and nothing is looked
  /// at before that is done.
  long beganNs() {
    Latencies login = stages().get(Stage.LOGIN);
    return login == null ? 0 : login.totalNs();
  }

  /// Its rate over time, up to its end; null if that is not known, or the run was too short.
  Course course() {
    Course course = json.get("throughput", EventTables.COURSE.orNull());
    if (course == null) {
      return null;
    }
    int steps = course.bytes().length;
    boolean isCourse =
        steps > 0
            && steps <= STEPS_MAX
            && (course.bytesDurable() == null || course.bytesDurable().length == steps)
            && (course.bytesCarried() == null || course.bytesCarried().length == steps)
            && course.stepNs() > 0;
    if (!isCourse) {
      throw json.malformed("throughput");
    }
    return course.until(result.elapsedNs() - beganNs());
  }

  /// The latencies of this end over time; null if they are not known.
  HeatCounts heat() {
    HeatCounts heat = json.get("heatMap", EventTables.HEAT.orNull());
    if (heat == null) {
      return null;
    }
    long[] fromNs = heat.fromNs();
    boolean isRun =
        heat.stepNs() > 0
            && heat.stepNs() < result.elapsedNs()
            && heat.steps() <= HeatMap.STEPS_MAX
            && fromNs.length <= HeatMap.ROWS;
    for (int i = 1; i < fromNs.length; i++) {
      isRun &= fromNs[i - 1] < fromNs[i];
    }
    for (long[] counts : heat.counts().values()) {
      isRun &= counts.length == (long) heat.steps() * fromNs.length;
    }
    if (!isRun) {
      throw json.malformed("heatMap");
    }
    return heat.counts().isEmpty() ? null : heat;
  }

  /// The latencies of each stage that has a histogram, of this end and then of the other one,
  /// decoded anew at each call.
  List<StageRow> rows() {
    List<StageRow> rows = new ArrayList<>(rows("latencies"));
    rows.addAll(rows("peerLatencies"));
    return rows;
  }

  private List<StageRow> rows(String field) {
    List<StageRow> rows = new ArrayList<>();
    JsonObject stages = json.object(field);
    for (String word : stages == null ? Set.<String>of() : stages.names()) {
      StageRow row = stages.get(word, EventTables.LATENCIES);
      rows.add(new StageRow(label(word, row.side()), row.side(), row.latencies()));
      StageRow corrected = stages.object(word).get("corrected", EventTables.LATENCIES.orNull());
      if (corrected != null) {
        rows.add(new StageRow(LatencyTable.CORRECTED, row.side(), corrected.latencies()));
      }
    }
    return rows;
  }

  /// The stages of this end that this zcp knows, for its own table.
  public Map<Stage, Latencies> stages() {
    return stages("latencies");
  }

  private Map<Stage, Latencies> stages(String field) {
    Map<Stage, Latencies> stages = new EnumMap<>(Stage.class);
    JsonObject saved = json.object(field);
    for (Stage stage : Stage.values()) {
      StageRow row = saved == null ? null : saved.get(stage.word(), EventTables.LATENCIES.orNull());
      if (row != null) {
        stages.put(stage, row.latencies());
      }
    }
    return stages;
  }

  /// What the run told, for whoever tells it again; the last is its end.
  List<Event> events() {
    List<Event> events = new ArrayList<>();
    for (String failure : failures) {
      ExitCode code = result.exitCode() == ExitCode.OK ? ExitCode.INTERNAL : result.exitCode();
      events.add(new Event.Failed(Failure.of(code, Printable.ofPhrase(failure))));
    }
    events.addAll(result.tree().losses());
    events.addAll(result.tree().declined());
    events.add(new Event.Finished(whole()));
    return events;
  }

  /// The result with its latencies.
  Result whole() {
    return EventTables.result(json, stages(), stages("peerLatencies"), heat());
  }

  static String label(String word, String side) {
    Stage stage = Stage.ofWord(word);
    return stage == null ? Printable.ofPhrase(word) : stage.label(WorkSide.ofWord(side));
  }
}

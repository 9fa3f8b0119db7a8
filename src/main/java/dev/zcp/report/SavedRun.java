package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Rate;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Bottleneck.Confidence;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.HeatMap;
import dev.zcp.insight.HeatMap.HeatCounts;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Findings;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.ProcessFacts;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.insight.Result.ProcessFacts.ProcessUsage;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Result.Tree;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.insight.WorkSide;
import dev.zcp.report.JsonObject.MalformedJson;
import dev.zcp.report.LatencyTable.StageRow;
import dev.zcp.report.Throughput.Course;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A run that is over, as its `result` of `--json` tells it.
///
/// @param name the file it is from, printable, and the number of the run if the file has several
/// @param file the file alone
/// @param json the result
/// @param result the same, as far as this zcp knows its fields; without latencies
/// @param failures the first of them, as messages
/// @param failed how many there were
public record SavedRun(
    String name, String file, JsonObject json, Result result, List<String> failures, long failed) {

  /// More would not be seen.
  private static final int STEPS_MAX = 10_000;

  /// @throws MalformedJson if a field is not what it should be
  static SavedRun of(
      String name, String file, JsonObject json, List<String> failures, long failed) {
    SavedRun run = new SavedRun(name, file, json, result(json), List.copyOf(failures), failed);
    if (!json.has("latencies")) {
      throw json.malformed("latencies");
    }
    // So that what cannot be read is found while its line is known.
    run.rows();
    run.course();
    run.usage();
    run.heat();
    return run;
  }

  Rate rate() {
    return new Rate(result.bytes(), result.elapsedNs());
  }

  /// What limited it, as a sentence; empty if it does not say.
  String verdict() {
    JsonObject verdict = json.object("verdict");
    return verdict == null ? "" : phrase(verdict, "sentence");
  }

  /// Its rate over time; null if that is not known.
  Course course() {
    JsonObject throughput = json.object("throughput");
    if (throughput == null) {
      return null;
    }
    long[] bytes = throughput.counts("movedBytes");
    long[] durable = countsOrNull(throughput, "durableBytes");
    long[] carried = countsOrNull(throughput, "carriedBytes");
    long stepNs = throughput.count("stepNs");
    boolean isCourse =
        bytes.length > 0
            && bytes.length <= STEPS_MAX
            && (durable == null || durable.length == bytes.length)
            && (carried == null || carried.length == bytes.length)
            && stepNs > 0
            && stepNs < result.elapsedNs();
    if (!isCourse) {
      throw json.malformed("throughput");
    }
    return new Course(stepNs, bytes, durable, carried);
  }

  private static long[] countsOrNull(JsonObject of, String name) throws MalformedJson {
    return of.has(name) ? of.counts(name) : null;
  }

  /// The latencies of this end over time; null if they are not known.
  HeatCounts heat() {
    JsonObject heat = json.object("heatMap");
    JsonObject saved = heat == null ? null : heat.object("counts");
    if (saved == null) {
      return null;
    }
    int steps = number(heat, "steps");
    long[] fromNs = heat.counts("fromNs");
    Map<Stage, long[]> counts = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      long[] mine = saved.counts(stage.word());
      if (mine.length > 0 && mine.length != (long) steps * fromNs.length) {
        throw heat.malformed("counts");
      }
      if (Arrays.stream(mine).anyMatch(count -> count > 0)) {
        counts.put(stage, mine);
      }
    }
    long stepNs = heat.count("stepNs");
    boolean isRun =
        stepNs > 0
            && stepNs < result.elapsedNs()
            && steps <= HeatMap.STEPS_MAX
            && fromNs.length <= HeatMap.ROWS;
    for (int i = 1; i < fromNs.length; i++) {
      isRun &= fromNs[i - 1] < fromNs[i];
    }
    if (!isRun) {
      throw json.malformed("heatMap");
    }
    return counts.isEmpty() ? null : new HeatCounts(stepNs, steps, fromNs, counts);
  }

  /// What this run did, alike for runs that can be compared one to one.
  String work() {
    String files = result.filesDone() + " files, " + result.bytes() + " bytes";
    return result.command() + ", " + result.strategyAsked() + ", " + files;
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
      JsonObject stage = stages.object(word);
      Latencies latencies = latencies(stage);
      if (latencies == null) {
        continue;
      }
      String side = Printable.ofPhrase(stage.word("side"));
      rows.add(new StageRow(label(word, side), side, latencies));
      Latencies corrected = latencies(stage.object("corrected"));
      if (corrected != null) {
        rows.add(new StageRow(LatencyTable.CORRECTED, side, corrected));
      }
    }
    return rows;
  }

  /// Null if there is no histogram.
  private static Latencies latencies(JsonObject stage) {
    if (stage == null || !stage.has("histogram")) {
      return null;
    }
    long totalNs = stage.count("totalNs");
    try {
      return Latencies.decoded(
          stage.text("histogram"),
          stage.count("minNs"),
          stage.count("maxNs"),
          totalNs,
          Math.min(stage.count("busiestNs", 0), totalNs));
    } catch (IllegalArgumentException e) {
      throw stage.malformed("histogram");
    }
  }

  /// The stages of this end that this zcp knows, for its own table.
  public Map<Stage, Latencies> stages() {
    return stages("latencies");
  }

  private Map<Stage, Latencies> stages(String field) {
    Map<Stage, Latencies> stages = new EnumMap<>(Stage.class);
    JsonObject saved = json.object(field);
    for (Stage stage : Stage.values()) {
      Latencies latencies = saved == null ? null : latencies(saved.object(stage.word()));
      if (latencies != null) {
        stages.put(stage, latencies);
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

  /// Null if the run does not say what limited it.
  private Bottleneck bottleneck() {
    JsonObject verdict = json.object("verdict");
    if (verdict == null) {
      return null;
    }
    List<String> evidence = verdict.texts("evidence").stream().map(Printable::ofPhrase).toList();
    Confidence confidence = Confidence.UNKNOWN;
    for (Confidence each : Confidence.values()) {
      confidence = each.word().equals(verdict.word("confidence")) ? each : confidence;
    }
    return new Bottleneck(
        phrase(verdict, "sentence"),
        verdict.word("limitedBy"),
        null,
        0,
        phrase(verdict, "runnerUp"),
        evidence,
        confidence,
        phrase(verdict, "advice"));
  }

  private ProcessUsage usage() {
    JsonObject process = json.object("process");
    return process == null
        ? null
        : new ProcessUsage(
            process.count("userNs"),
            process.count("systemNs"),
            process.count("voluntarySwitches"),
            process.count("involuntarySwitches"),
            process.count("majorFaults"),
            process.count("readCalls", -1),
            process.count("writeCalls", -1),
            process.count("deviceReadBytes", -1));
  }

  private Pauses pauses() {
    JsonObject pauses = json.object("pauses");
    return pauses == null
        ? null
        : new Pauses(
            pauses.count("count"),
            pauses.count("totalNs"),
            pauses.count("maxNs"),
            pauses.count("samplesOverlapped"));
  }

  /// The result with latencies, verdict and what the process used.
  Result whole() {
    return new Result(
        result.command(),
        result.strategyAsked(),
        result.ran(),
        result.filesDone(),
        result.filesFailed(),
        result.bytes(),
        result.elapsedNs(),
        result.verified(),
        result.exitCode(),
        result.message(),
        stages(),
        result.session(),
        result.tree(),
        new Findings(stages("peerLatencies"), List.of(), bottleneck(), heat()),
        new ProcessFacts(usage(), pauses()));
  }

  /// How a stage is called in tables.
  static String label(String word, String side) {
    Stage stage = Stage.ofWord(word);
    return stage == null ? Printable.ofPhrase(word) : stage.label(WorkSide.ofWord(side));
  }

  private static Result result(JsonObject json) {
    return new Result(
        required(json, "command"),
        required(json, "strategyAsked"),
        ran(json),
        number(json, "files"),
        number(json, "filesFailed"),
        json.count("bytes"),
        json.ns("seconds"),
        verified(json),
        ExitCode.ofNumber((int) Math.min(json.count("exitCode"), 255)),
        phrase(json, "message"),
        Map.of(),
        session(json),
        tree(json));
  }

  private static List<Ran> ran(JsonObject json) {
    List<Ran> ran = new ArrayList<>();
    for (JsonObject each : json.objects("strategyUsed")) {
      ran.add(
          new Ran(
              required(each, "strategy"),
              each.count("bytes"),
              each.count("steps"),
              phrase(each, "fellBackBecause")));
    }
    return ran;
  }

  private static Verified verified(JsonObject json) {
    for (Verified level : Verified.values()) {
      if (level.label().equals(json.text("verified"))) {
        return level;
      }
    }
    throw json.malformed("verified");
  }

  private static Session session(JsonObject json) {
    JsonObject buffer = json.object("socketBuffer");
    if (buffer == null) {
      return null;
    }
    SocketBuffer given =
        new SocketBuffer(
            phrase(buffer, "option"),
            (int) Math.min(buffer.count("askedBytes", 0), Integer.MAX_VALUE),
            buffer.count("givenBytes"),
            "");
    String peer = phrase(json, "peer");
    return new Session(
        new Link(peer, json.flag("discarded"), json.flag("encrypted"), given),
        number(json, "connections"),
        json.count("bytesDirect", 0),
        json.count("bytesResumed", 0),
        json.count("bytesThere", 0),
        json.count("bytesResent", 0),
        phrase(json, "verifiedBy"),
        phrase(json, "congestion"));
  }

  private static Tree tree(JsonObject json) {
    JsonObject planned = json.object("planned");
    Plan plan = null;
    if (planned != null) {
      plan =
          new Plan(
              planned.count("files"),
              planned.count("bytes"),
              planned.count("replaced"),
              entries(planned));
    }
    List<Event.Lost> losses = new ArrayList<>();
    for (JsonObject each : json.objects("losses")) {
      losses.add(
          new Event.Lost(
              phrase(each, "what"),
              each.count("entries"),
              phrase(each, "firstName"),
              phrase(each, "reason")));
    }
    List<Event.Declined> declined = new ArrayList<>();
    for (JsonObject each : json.objects("declined")) {
      declined.add(
          new Event.Declined(
              phrase(each, "what"),
              each.count("entries"),
              phrase(each, "firstName"),
              phrase(each, "reason")));
    }
    Map<String, Long> paths = new LinkedHashMap<>();
    JsonObject took = json.object("paths");
    if (took != null) {
      for (String path : took.names()) {
        paths.put(Printable.ofPhrase(path), took.count(path));
      }
    }
    return new Tree(json.count("bytesDurable", -1), entries(json), plan, losses, declined, paths);
  }

  private static EntryCounts entries(JsonObject json) {
    return new EntryCounts(
        json.count("directories"),
        json.count("symlinks"),
        json.count("hardLinks"),
        json.count("specials"),
        json.count("kept"),
        json.count("skipped"),
        json.count("deleted"));
  }

  private static int number(JsonObject json, String name) {
    long count = json.count(name);
    if (count > Integer.MAX_VALUE) {
      throw json.malformed(name);
    }
    return (int) count;
  }

  private static String required(JsonObject json, String name) {
    String text = phrase(json, name);
    if (text.isEmpty()) {
      throw json.malformed(name);
    }
    return text;
  }

  /// A terminal must not be told by a file what to do.
  private static String phrase(JsonObject json, String name) {
    return Printable.ofPhrase(json.text(name));
  }
}

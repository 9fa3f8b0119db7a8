package dev.zcp.report;

import static dev.zcp.json.JsonType.COUNT;
import static dev.zcp.json.JsonType.COUNTS;
import static dev.zcp.json.JsonType.COUNT_IF_KNOWN;
import static dev.zcp.json.JsonType.FLAG;
import static dev.zcp.json.JsonType.INT;
import static dev.zcp.json.JsonType.PHRASE;
import static dev.zcp.json.JsonType.SECONDS;
import static dev.zcp.json.JsonType.SHARE;
import static dev.zcp.json.JsonType.TEXT;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Rate;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Bottleneck.Confidence;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.HeatMap.HeatCounts;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.Compressed;
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
import dev.zcp.insight.WorkSide;
import dev.zcp.insight.WorstOperation;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonTable.Values;
import dev.zcp.json.JsonType;
import dev.zcp.report.LatencyTable.StageRow;
import dev.zcp.report.Throughput.Course;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/// The fields of what `--json` tells. Keys and their meaning are kept from release to release; new
/// ones may be added. `src/main/schema` describes them for users.
public final class EventTables {

  private static final JsonType<String> TEXT_IF_ANY = TEXT.orNull("");
  static final JsonType<String> PHRASE_IF_ANY = PHRASE.orNull("");

  private static final JsonType<String> WORD =
      PHRASE.as(text -> text, text -> text.isEmpty() ? null : text);

  private static final JsonType<ExitCode> EXIT_CODE =
      JsonType.integer(0, 255).as(ExitCode::number, ExitCode::ofNumber);

  private static final JsonType<Level> VERIFIED = JsonType.oneOf(Level.values(), Level::label);

  /// A saved run may have any word there; one that is none is local.
  private static final JsonType<WorkSide> SIDE = TEXT.as(WorkSide::word, WorkSide::ofWord);

  private static final JsonTable<Ran> RAN =
      new JsonTable<Ran>(v -> new Ran(v.get(), v.get(), v.get(), v.get()))
          .field("strategy", WORD, Ran::strategy)
          .field("bytes", COUNT, Ran::bytes)
          .field("steps", COUNT, Ran::steps)
          .field("fellBackBecause", PHRASE, Ran::fellBackBecause);

  private static final JsonTable<Event.Lost> LOST =
      new JsonTable<Event.Lost>(v -> new Event.Lost(v.get(), v.get(), v.get(), v.get()))
          .field("what", PHRASE, Event.Lost::what)
          .field("entries", COUNT, Event.Lost::entries)
          .field("firstName", PHRASE, Event.Lost::firstName)
          .field("reason", PHRASE, Event.Lost::reason);

  private static final JsonTable<Event.Declined> DECLINED =
      new JsonTable<Event.Declined>(v -> new Event.Declined(v.get(), v.get(), v.get(), v.get()))
          .field("what", PHRASE, Event.Declined::what)
          .field("entries", COUNT, Event.Declined::entries)
          .field("firstName", PHRASE, Event.Declined::firstName)
          .field("reason", PHRASE, Event.Declined::reason);

  private static final JsonTable<EntryCounts> ENTRIES =
      new JsonTable<EntryCounts>(
              v ->
                  new EntryCounts(
                      v.get(), v.get(), v.get(), v.get(), v.get(), v.get(), v.get(), v.get()))
          .field("directories", COUNT, EntryCounts::directories)
          .field("symlinks", COUNT, EntryCounts::symlinks)
          .field("hardLinks", COUNT, EntryCounts::hardLinks)
          .field("specials", COUNT, EntryCounts::specials)
          .field("kept", COUNT, EntryCounts::kept)
          .field("skipped", COUNT, EntryCounts::skipped)
          .field("corrected", COUNT, EntryCounts::corrected)
          .field("deleted", COUNT, EntryCounts::deleted);

  private static final JsonTable<Plan> PLAN =
      new JsonTable<Plan>(v -> new Plan(v.get(), v.get(), v.get(), v.get()))
          .field("files", COUNT, Plan::files)
          .field("bytes", COUNT, Plan::bytes)
          .field("replaced", COUNT, Plan::replaced)
          .all(ENTRIES, Plan::entries);

  private static final JsonTable<Tree> TREE =
      new JsonTable<Tree>(EventTables::tree)
          .all(ENTRIES, Tree::entries)
          .field("planned", PLAN.orNull(), Tree::plan)
          .field("losses", LOST.list(), Tree::losses)
          .field("declined", DECLINED.list(), Tree::declined)
          .field("paths", COUNT.map(), Tree::paths)
          .field("bytesDurable", COUNT_IF_KNOWN, Tree::bytesDurable);

  private static final JsonTable<SocketBuffer> SOCKET_BUFFER =
      new JsonTable<SocketBuffer>(v -> new SocketBuffer(v.get(), v.get(), v.get(), ""))
          .field("option", PHRASE, SocketBuffer::option)
          .field("askedBytes", INT.orNull(0), SocketBuffer::askedBytes)
          .field("givenBytes", COUNT, SocketBuffer::givenBytes);

  /// All fields are null if there was no session.
  private static final JsonTable<Session> SESSION =
      new JsonTable<Session>(EventTables::session)
          .field("connections", INT.orNull(-1), Session::connections)
          .field("bytesDirect", COUNT_IF_KNOWN, Session::bytesDirect)
          .field("bytesResumed", COUNT_IF_KNOWN, Session::bytesResumed)
          .field("bytesThere", COUNT_IF_KNOWN, Session::bytesThere)
          .field("bytesReused", COUNT_IF_KNOWN, Session::bytesReused)
          .field("bytesResent", COUNT_IF_KNOWN, Session::bytesResent)
          .field("verifiedBy", PHRASE_IF_ANY, Session::proof)
          .field("congestion", PHRASE_IF_ANY, Session::congestion)
          .field("bytesCompressed", COUNT_IF_KNOWN, session -> session.compressed().bytes())
          .field("bytesCompressedTo", COUNT_IF_KNOWN, session -> session.compressed().toBytes())
          .field("notCompressed", PHRASE_IF_ANY, session -> session.compressed().whyNot())
          .field("encrypted", FLAG.orNull(), session -> session.link().isEncrypted())
          .field("encryptedBy", PHRASE_IF_ANY, session -> session.link().encryptedBy())
          .field("socketBuffer", SOCKET_BUFFER.orNull(), session -> session.link().buffer());

  private static final JsonTable<ProcessUsage> USAGE =
      new JsonTable<ProcessUsage>(
              v ->
                  new ProcessUsage(
                      v.get(), v.get(), v.get(), v.get(), v.get(), v.get(), v.get(), v.get()))
          .field("userNs", COUNT, ProcessUsage::userNs)
          .field("systemNs", COUNT, ProcessUsage::systemNs)
          .field("voluntarySwitches", COUNT, ProcessUsage::voluntarySwitches)
          .field("involuntarySwitches", COUNT, ProcessUsage::involuntarySwitches)
          .field("majorFaults", COUNT, ProcessUsage::majorFaults)
          .field("readCalls", COUNT_IF_KNOWN, ProcessUsage::readCalls)
          .field("writeCalls", COUNT_IF_KNOWN, ProcessUsage::writeCalls)
          .field("deviceReadBytes", COUNT_IF_KNOWN, ProcessUsage::deviceReadBytes);

  private static final JsonTable<Pauses> PAUSES =
      new JsonTable<Pauses>(v -> new Pauses(v.get(), v.get(), v.get(), v.get()))
          .field("count", COUNT, Pauses::count)
          .field("totalNs", COUNT, Pauses::totalNs)
          .field("maxNs", COUNT, Pauses::maxNs)
          .field("samplesOverlapped", COUNT, Pauses::samplesOverlapped);

  private static final JsonTable<ProcessFacts> PROCESS =
      new JsonTable<ProcessFacts>(v -> new ProcessFacts(v.get(), v.get()))
          .field("process", USAGE.orNull(), ProcessFacts::usage)
          .field("pauses", PAUSES.orNull(), ProcessFacts::pauses);

  private static final JsonTable<WorstOperation> WORST =
      new JsonTable<WorstOperation>()
          .field("stage", TEXT, worst -> worst.stage().word())
          .field("side", SIDE, WorstOperation::side)
          .field("path", TEXT_IF_ANY, WorstOperation::path)
          .field("offset", COUNT_IF_KNOWN, WorstOperation::offset)
          .field("bytes", COUNT, WorstOperation::bytes)
          .field("elapsedNs", COUNT, WorstOperation::elapsedNs)
          .field("at", TEXT, worst -> LatencyTable.moment(worst.startedMs()));

  private static final JsonTable<Bottleneck> VERDICT =
      new JsonTable<Bottleneck>(
              v ->
                  new Bottleneck(
                      v.get(), v.get(), v.get(), v.get(), v.get(), v.get(), v.get(), v.get()))
          .field("sentence", PHRASE, Bottleneck::sentence)
          .field("limitedBy", PHRASE, Bottleneck::limitedBy)
          .field("side", SIDE.orNull(), Bottleneck::side)
          .field("share", SHARE, Bottleneck::share)
          .field("runnerUp", PHRASE_IF_ANY, Bottleneck::runnerUp)
          .field("evidence", PHRASE.list(), Bottleneck::evidence)
          .field(
              "confidence",
              JsonType.oneOf(Confidence.values(), Confidence::word),
              Bottleneck::confidence)
          .field("advice", PHRASE_IF_ANY, Bottleneck::advice);

  static final JsonTable<HeatCounts> HEAT =
      new JsonTable<HeatCounts>(v -> new HeatCounts(v.get(), v.get(), v.get(), byStage(v.get())))
          .field("stepNs", COUNT, HeatCounts::stepNs)
          .field("steps", INT, HeatCounts::steps)
          .field("fromNs", COUNTS, HeatCounts::fromNs)
          .field("counts", COUNTS.map(), heat -> byWord(heat.counts()));

  static final JsonTable<Course> COURSE =
      new JsonTable<Course>(v -> new Course(v.get(), v.get(), v.get(), v.get()))
          .field("stepNs", COUNT, Course::stepNs)
          .field("movedBytes", COUNTS, Course::bytes)
          .field("durableBytes", COUNTS.orNull(), Course::bytesDurable)
          .field("carriedBytes", COUNTS.orNull(), Course::bytesCarried);

  static final JsonTable<StageRow> LATENCIES = latencies();

  /// The latencies of stages, by their words.
  public static final JsonType<Map<String, StageRow>> STAGES =
      latencies().fieldIfAny("corrected", LATENCIES, EventTables::corrected).map();

  private static final JsonTable<Failure> FAILURE = exit(Failure::exitCode, Failure::getMessage);

  static final JsonTable<Result> RESULT =
      new JsonTable<Result>(EventTables::result)
          .field("command", WORD, Result::command)
          .field("strategyAsked", WORD, Result::strategyAsked)
          .field("strategyUsed", RAN.list(), Result::ran)
          .field("files", INT, Result::filesDone)
          .field("filesFailed", INT, Result::filesFailed)
          .all(amount(Result::bytes, Result::elapsedNs), result -> result)
          .field("verified", VERIFIED, Result::verified)
          .field("discarded", FLAG, Result::isDiscarded)
          .all(TREE, Result::tree)
          .all(SESSION, Result::session)
          .all(PROCESS, Result::process)
          .all(exit(Result::exitCode, Result::message), result -> result)
          .field("latencies", STAGES, result -> rows(result.stages(), result.side()))
          .field("peerLatencies", STAGES, EventTables::peerRows)
          .field("worst", WORST.list(), result -> result.findings().worst())
          .field("verdict", VERDICT.orNull(), result -> result.findings().bottleneck())
          .field("heatMap", HEAT.orNull(), result -> result.findings().heat());

  static final JsonTable<RunContext> CONTEXT =
      new JsonTable<RunContext>(v -> new RunContext(v.get(), v.get(), v.get()))
          .field("commandLine", PHRASE_IF_ANY, RunContext::commandLine)
          .field("version", PHRASE_IF_ANY, RunContext::version)
          .field("machine", PHRASE_IF_ANY, RunContext::machine);

  /// An event and what is told with it.
  ///
  /// @param session null if it is of none
  /// @param course of the rate; null if it is not known
  /// @param context null if it is not known
  record Line<E extends Event>(E event, SessionName session, Course course, RunContext context) {

    /// Null if it is not known.
    String startedAt() {
      return context != null && event instanceof Event.Finished finished
          ? LatencyTable.moment(finished.endedMs() - finished.result().elapsedNs() / 1_000_000)
          : null;
    }

    String peer() {
      return session == null ? null : session.peer();
    }

    Long number() {
      return session == null ? null : (Long) (long) session.number();
    }
  }

  private static final Map<Class<?>, JsonTable<? extends Line<?>>> LINES = new HashMap<>();

  static {
    on(Event.Started.class, "started")
        .field("command", TEXT, Event.Started::command)
        .field("strategyAsked", TEXT, Event.Started::strategy)
        .field("files", INT.orNull(-1), Event.Started::files)
        .field("bytes", COUNT_IF_KNOWN, Event.Started::bytes);
    on(Event.Listening.class, "listening")
        .field("hosts", TEXT.list(), Event.Listening::hosts)
        .field("url", TEXT, Event.Listening::url);
    on(Event.Connected.class, "connected")
        .field("peer", TEXT, connected -> connected.link().peer())
        .field("discards", FLAG, connected -> connected.link().discards())
        .field("encrypted", FLAG, connected -> connected.link().isEncrypted());
    on(Event.FileDone.class, "file")
        .field("name", TEXT, Event.FileDone::name)
        .field("strategyUsed", RAN.list(), Event.FileDone::ran)
        .all(amount(Event.FileDone::bytes, Event.FileDone::elapsedNs), done -> done)
        .field("verified", VERIFIED, Event.FileDone::verified);
    on(Event.FileFailed.class, "fileFailed")
        .field("name", TEXT, Event.FileFailed::name)
        .all(FAILURE, Event.FileFailed::failure);
    on(Event.Failed.class, "failed").all(FAILURE, Event.Failed::failure);
    on(Event.Counted.class, "counted")
        .field("files", COUNT, Event.Counted::files)
        .field("bytes", COUNT, Event.Counted::bytes);
    on(Event.Kept.class, "kept")
        .field("name", TEXT, Event.Kept::name)
        .field("reason", TEXT, Event.Kept::reason);
    on(Event.Deleted.class, "deleted").field("name", TEXT, Event.Deleted::name);
    on(Event.Skipped.class, "skipped")
        .field("name", TEXT, Event.Skipped::name)
        .field("reason", TEXT, Event.Skipped::reason);
    on(Event.PlanLine.class, "planned")
        .field("action", TEXT, line -> line.action().word())
        .field("name", TEXT, Event.PlanLine::name)
        .field("target", TEXT, Event.PlanLine::target)
        .field("bytes", COUNT_IF_KNOWN, Event.PlanLine::bytes);
    on(Event.Lost.class, "lost").all(LOST, lost -> lost);
    on(Event.Declined.class, "declined").all(DECLINED, declined -> declined);
    on(Event.Noted.class, "note").field("message", TEXT, Event.Noted::message);
    on(Event.Interrupted.class, "note").field("message", TEXT, Event.Interrupted::message);
    on(Event.Finished.class, "result").all(RESULT, Event.Finished::result);
  }

  private EventTables() {}

  /// A new table for the fields of an event, with what all lines have around it.
  private static <E extends Event> JsonTable<E> on(Class<E> event, String name) {
    JsonTable<E> fields = new JsonTable<>();
    JsonTable<Line<E>> line = new JsonTable<Line<E>>().field("event", TEXT, _ -> name);
    LINES.put(event, line.all(fields, Line::event));
    if (event == Event.Finished.class) {
      line.field("throughput", COURSE.orNull(), Line::course)
          .field("peer", TEXT.orNull(), Line::peer)
          .field("session", COUNT.orNull(), Line::number)
          .field("startedAt", TEXT.orNull(), Line::startedAt)
          .all(CONTEXT, Line::context);
      return fields;
    }
    if (event != Event.Connected.class) {
      line.fieldIfAny("peer", TEXT, Line::peer);
    }
    line.fieldIfAny("session", COUNT, Line::number);
    return fields;
  }

  /// Null if such events are not told.
  @SuppressWarnings("unchecked")
  static JsonTable<Line<Event>> of(Class<?> event) {
    return (JsonTable<Line<Event>>) LINES.get(event);
  }

  private static <T> JsonTable<T> amount(Function<T, Long> bytes, Function<T, Long> elapsedNs) {
    return new JsonTable<T>()
        .field("bytes", COUNT, bytes)
        .field("seconds", SECONDS, elapsedNs)
        .field(
            "bytesPerSecond",
            COUNT,
            of -> Math.round(new Rate(bytes.apply(of), elapsedNs.apply(of)).bytesPerSecond()));
  }

  private static <T> JsonTable<T> exit(Function<T, ExitCode> code, Function<T, String> message) {
    return new JsonTable<T>()
        .field("exitCode", EXIT_CODE, code)
        .field("exit", TEXT, of -> code.apply(of).name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .field("message", PHRASE, message);
  }

  private static JsonTable<StageRow> latencies() {
    return new JsonTable<StageRow>(EventTables::row)
        .field("count", COUNT, row -> row.latencies().count())
        .field("minNs", COUNT, row -> row.latencies().minNs())
        .field("p50Ns", COUNT, row -> row.latencies().percentileNs(50))
        .field("p90Ns", COUNT, row -> row.latencies().percentileNs(90))
        .field("p99Ns", COUNT, row -> row.latencies().percentileNs(99))
        .field("p999Ns", COUNT, row -> row.latencies().percentileNs(99.9))
        .field("maxNs", COUNT, row -> row.latencies().maxNs())
        .field("meanNs", COUNT, row -> row.latencies().meanNs())
        .field("side", PHRASE, StageRow::side)
        .field("totalNs", COUNT, row -> row.latencies().totalNs())
        .fieldIfAny("busiestNs", COUNT, row -> aboveZero(row.latencies().busiestNs()))
        .field("histogram", TEXT, row -> row.latencies().encoded());
  }

  private static Long aboveZero(long count) {
    return count == 0 ? null : (Long) count;
  }

  private static StageRow corrected(StageRow row) {
    Latencies corrected = row.latencies().corrected();
    return corrected == null ? null : new StageRow("", row.side(), corrected);
  }

  private static StageRow row(Values v) {
    JsonObject json = v.object();
    long totalNs = json.get("totalNs", COUNT);
    try {
      Latencies latencies =
          Latencies.decoded(
              json.get("histogram", TEXT),
              json.get("minNs", COUNT),
              json.get("maxNs", COUNT),
              totalNs,
              Math.min(json.get("busiestNs", COUNT.orNull(0L)), totalNs));
      return new StageRow("", json.get("side", PHRASE), latencies);
    } catch (IllegalArgumentException e) {
      throw json.malformed("histogram");
    }
  }

  /// Without its latencies, which take much memory.
  private static Result result(Values v) {
    return result(v.object(), Map.of(), Map.of(), null);
  }

  static Result result(
      JsonObject json,
      Map<Stage, Latencies> stages,
      Map<Stage, Latencies> peerStages,
      HeatCounts heat) {
    return new Result(
        json.get("command", WORD),
        json.get("strategyAsked", WORD),
        json.get("strategyUsed", RAN.list()),
        json.get("files", INT),
        json.get("filesFailed", INT),
        json.get("bytes", COUNT),
        json.get("seconds", SECONDS),
        json.get("verified", VERIFIED),
        json.get("exitCode", EXIT_CODE),
        json.get("message", PHRASE),
        stages,
        SESSION.read(json),
        TREE.read(json),
        new Findings(peerStages, List.of(), json.get("verdict", VERDICT.orNull()), heat),
        PROCESS.read(json));
  }

  private static Tree tree(Values v) {
    long bytesDurable = v.object().get("bytesDurable", COUNT_IF_KNOWN);
    return new Tree(bytesDurable, v.get(), v.get(), v.get(), v.get(), v.get());
  }

  private static Session session(Values v) {
    JsonObject json = v.object();
    SocketBuffer buffer = json.get("socketBuffer", SOCKET_BUFFER.orNull());
    String encryptedBy = json.get("encryptedBy", PHRASE_IF_ANY);
    boolean isDiscarded = json.get("discarded", FLAG.orNull(false));
    Link link = new Link(json.get("peer", PHRASE_IF_ANY), isDiscarded, encryptedBy, buffer);
    return buffer == null
        ? null
        : new Session(
            link,
            v.get(),
            v.get(),
            v.get(),
            v.get(),
            v.get(),
            v.get(),
            v.get(),
            v.get(),
            new Compressed(v.get(), v.get(), v.get()));
  }

  private static Map<String, StageRow> peerRows(Result result) {
    return rows(result.findings().peerStages(), result.side().other());
  }

  private static Map<String, long[]> byWord(Map<Stage, long[]> counts) {
    Map<String, long[]> byWord = new LinkedHashMap<>();
    counts.forEach((stage, all) -> byWord.put(stage.word(), all));
    return byWord;
  }

  /// Without stages that this zcp does not know, and those that have no operations.
  private static Map<Stage, long[]> byStage(Map<String, long[]> byWord) {
    Map<Stage, long[]> counts = new EnumMap<>(Stage.class);
    byWord.forEach(
        (word, all) -> {
          if (Stage.ofWord(word) != null && Arrays.stream(all).anyMatch(count -> count > 0)) {
            counts.put(Stage.ofWord(word), all);
          }
        });
    return counts;
  }

  /// The latencies of the stages of a command of a side, by their words.
  public static Map<String, StageRow> rows(Map<Stage, Latencies> stages, WorkSide side) {
    Map<String, StageRow> rows = new LinkedHashMap<>();
    stages.forEach(
        (stage, latencies) -> rows.put(stage.word(), new StageRow("", side.word(), latencies)));
    return rows;
  }
}

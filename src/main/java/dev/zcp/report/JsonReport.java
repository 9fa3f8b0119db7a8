package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Rate;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.HeatMap.HeatCounts;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.insight.Result.ProcessFacts.ProcessUsage;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.insight.WorstOperation;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// Tells a program what happens: JSON in UTF-8, one object a line, each with its kind in `event`;
/// the last of a session is its `result`. What is not known is `null`. Keys and their meaning are
/// kept from release to release; new ones may be added.
public final class JsonReport implements Listener {

  private static final long NS_PER_SECOND = 1_000_000_000;

  /// A share is told to the thousandth.
  private static final double SHARE_PARTS = 1000;

  private final PrintStream out;

  /// Null if nobody looks at it.
  private final Throughput throughput;

  private final StringWriter text = new StringWriter();

  /// One for all lines: to make one costs more than to write the line of a file.
  private final JsonGenerator line =
      JsonFactory.builder()
          .rootValueSeparator("")
          .build()
          .createGenerator(ObjectWriteContext.empty(), text);

  /// @param out where the lines go, each written and flushed as a whole. Its owner must call
  ///   [PrintStream#checkError] to know if they were written
  public JsonReport(PrintStream out) {
    this(out, null);
  }

  /// @param throughput what looks at the rates, and hears each event before this object; or null
  public JsonReport(PrintStream out, Throughput throughput) {
    this.out = out;
    this.throughput = throughput;
  }

  @Override
  public void on(Event event) {
    on(event, null);
  }

  @Override
  public void on(Event event, SessionName session) {
    // A file's start and its target would double the lines of a tree of small files, and say little
    // that its end does not.
    if (event instanceof Event.FileStarted || event instanceof Event.Placed) {
      return;
    }
    text.getBuffer().setLength(0);
    line.writeStartObject();
    write(event);
    if (event instanceof Event.Finished) {
      writeCourse(throughput == null ? null : throughput.courseOf(session));
    }
    writeName(event, session);
    line.writeEndObject();
    line.flush();
    // Not encoded by the generator, which refuses half a surrogate pair; here it becomes '?'.
    byte[] bytes = text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  private void write(Event event) {
    // Not a switch, for the reason given in TextReport; a test sees to it that no event is
    // forgotten.
    if (event instanceof Event.Started started) {
      line.writeStringProperty("event", "started");
      line.writeStringProperty("command", started.command());
      line.writeStringProperty("strategyAsked", started.strategy());
      writeIfKnown("files", started.files());
      writeIfKnown("bytes", started.bytes());
    } else if (event instanceof Event.Listening listening) {
      line.writeStringProperty("event", "listening");
      line.writeArrayPropertyStart("hosts");
      for (String host : listening.hosts()) {
        line.writeString(host);
      }
      line.writeEndArray();
      line.writeStringProperty("url", listening.url());
    } else if (event instanceof Event.Connected connected) {
      line.writeStringProperty("event", "connected");
      line.writeStringProperty("peer", connected.link().peer());
      line.writeBooleanProperty("discards", connected.link().discards());
      line.writeBooleanProperty("encrypted", connected.link().encrypted());
    } else if (event instanceof Event.FileDone done) {
      line.writeStringProperty("event", "file");
      line.writeStringProperty("name", done.name());
      writeStrategies(done.ran());
      writeAmount(done.bytes(), done.elapsedNs());
      line.writeStringProperty("verified", done.verified().label());
    } else if (event instanceof Event.FileFailed failed) {
      line.writeStringProperty("event", "fileFailed");
      line.writeStringProperty("name", failed.name());
      writeExit(failed.failure().exitCode(), failed.failure().getMessage());
    } else if (event instanceof Event.Failed failed) {
      line.writeStringProperty("event", "failed");
      writeExit(failed.failure().exitCode(), failed.failure().getMessage());
    } else if (event instanceof Event.Counted counted) {
      line.writeStringProperty("event", "counted");
      line.writeNumberProperty("files", counted.files());
      line.writeNumberProperty("bytes", counted.bytes());
    } else if (event instanceof Event.Kept kept) {
      line.writeStringProperty("event", "kept");
      line.writeStringProperty("name", kept.name());
      line.writeStringProperty("reason", kept.reason());
    } else if (event instanceof Event.Deleted deleted) {
      line.writeStringProperty("event", "deleted");
      line.writeStringProperty("name", deleted.name());
    } else if (event instanceof Event.Skipped skipped) {
      line.writeStringProperty("event", "skipped");
      line.writeStringProperty("name", skipped.name());
      line.writeStringProperty("reason", skipped.reason());
    } else if (event instanceof Event.PlanLine planned) {
      line.writeStringProperty("event", "planned");
      line.writeStringProperty("action", planned.action().word());
      line.writeStringProperty("name", planned.name());
      line.writeStringProperty("target", planned.target());
      writeIfKnown("bytes", planned.bytes());
    } else if (event instanceof Event.Lost lost) {
      line.writeStringProperty("event", "lost");
      writeKind(lost.what(), lost.entries(), lost.firstName(), lost.reason());
    } else if (event instanceof Event.Declined declined) {
      line.writeStringProperty("event", "declined");
      writeKind(declined.what(), declined.entries(), declined.firstName(), declined.reason());
    } else if (event instanceof Event.Noted noted) {
      line.writeStringProperty("event", "note");
      line.writeStringProperty("message", noted.message());
    } else if (event instanceof Event.Interrupted interrupted) {
      line.writeStringProperty("event", "note");
      line.writeStringProperty("message", interrupted.message());
    } else if (event instanceof Event.Finished finished) {
      line.writeStringProperty("event", "result");
      writeResult(finished.result());
    }
  }

  private void writeName(Event event, SessionName session) {
    if (session == null && !(event instanceof Event.Finished)) {
      return;
    }
    if (!(event instanceof Event.Connected)) {
      line.writeStringProperty("peer", session == null ? null : session.peer());
    }
    writeIfKnown("session", session == null ? -1 : session.number());
  }

  private void writeResult(Result result) {
    line.writeStringProperty("command", result.command());
    line.writeStringProperty("strategyAsked", result.strategyAsked());
    writeStrategies(result.ran());
    line.writeNumberProperty("files", result.filesDone());
    line.writeNumberProperty("filesFailed", result.filesFailed());
    writeAmount(result.bytes(), result.elapsedNs());
    line.writeStringProperty("verified", result.verified().label());
    line.writeBooleanProperty("discarded", result.isDiscarded());
    writeEntries(result.tree().entries());
    writePlan(result.tree().plan());
    line.writeArrayPropertyStart("losses");
    for (Event.Lost lost : result.tree().losses()) {
      line.writeStartObject();
      writeKind(lost.what(), lost.entries(), lost.firstName(), lost.reason());
      line.writeEndObject();
    }
    line.writeEndArray();
    line.writeArrayPropertyStart("declined");
    for (Event.Declined declined : result.tree().declined()) {
      line.writeStartObject();
      writeKind(declined.what(), declined.entries(), declined.firstName(), declined.reason());
      line.writeEndObject();
    }
    line.writeEndArray();
    line.writeObjectPropertyStart("paths");
    for (Map.Entry<String, Long> path : result.tree().paths().entrySet()) {
      line.writeNumberProperty(path.getKey(), path.getValue());
    }
    line.writeEndObject();
    writeIfKnown("bytesDurable", result.tree().bytesDurable());
    writeSession(result.session());
    writeUsage(result.process().usage());
    writePauses(result.process().pauses());
    writeExit(result.exitCode(), result.message());
    writeLatencies(line, "latencies", result.stages(), result.side());
    writeLatencies(line, "peerLatencies", result.findings().peerStages(), result.side().other());
    writeWorst(result.findings().worst());
    writeVerdict(result.findings().bottleneck());
    writeHeat(result.findings().heat());
  }

  /// A field of latencies by stage.
  public static void writeLatencies(
      JsonGenerator line, String name, Map<Stage, Latencies> stages, WorkSide side) {
    line.writeObjectPropertyStart(name);
    for (Map.Entry<Stage, Latencies> stage : stages.entrySet()) {
      line.writeObjectPropertyStart(stage.getKey().word());
      writeLatencies(line, stage.getValue(), side);
      Latencies corrected = stage.getValue().corrected();
      if (corrected != null) {
        line.writeObjectPropertyStart("corrected");
        writeLatencies(line, corrected, side);
        line.writeEndObject();
      }
      line.writeEndObject();
    }
    line.writeEndObject();
  }

  private static void writeLatencies(JsonGenerator line, Latencies latencies, WorkSide side) {
    line.writeNumberProperty("count", latencies.count());
    line.writeNumberProperty("minNs", latencies.minNs());
    line.writeNumberProperty("p50Ns", latencies.percentileNs(50));
    line.writeNumberProperty("p90Ns", latencies.percentileNs(90));
    line.writeNumberProperty("p99Ns", latencies.percentileNs(99));
    line.writeNumberProperty("p999Ns", latencies.percentileNs(99.9));
    line.writeNumberProperty("maxNs", latencies.maxNs());
    line.writeNumberProperty("meanNs", latencies.meanNs());
    line.writeStringProperty("side", side.word());
    line.writeNumberProperty("totalNs", latencies.totalNs());
    if (latencies.busiestNs() > 0) {
      line.writeNumberProperty("busiestNs", latencies.busiestNs());
    }
    line.writeStringProperty("histogram", latencies.encoded());
  }

  private void writeVerdict(Bottleneck found) {
    if (found == null) {
      line.writeNullProperty("verdict");
      return;
    }
    line.writeObjectPropertyStart("verdict");
    line.writeStringProperty("sentence", found.sentence());
    line.writeStringProperty("limitedBy", found.limitedBy());
    line.writeStringProperty("side", found.side() == null ? null : found.side().word());
    line.writeNumberProperty("share", Math.round(found.share() * SHARE_PARTS) / SHARE_PARTS);
    line.writeStringProperty("runnerUp", orNull(found.runnerUp()));
    line.writeArrayPropertyStart("evidence");
    for (String each : found.evidence()) {
      line.writeString(each);
    }
    line.writeEndArray();
    line.writeStringProperty("confidence", found.confidence().word());
    line.writeStringProperty("advice", orNull(found.advice()));
    line.writeEndObject();
  }

  private void writeWorst(List<WorstOperation> worst) {
    line.writeArrayPropertyStart("worst");
    for (WorstOperation each : worst) {
      line.writeStartObject();
      line.writeStringProperty("stage", each.stage().word());
      line.writeStringProperty("side", each.side().word());
      line.writeStringProperty("path", orNull(each.path()));
      writeIfKnown("offset", each.offset());
      line.writeNumberProperty("bytes", each.bytes());
      line.writeNumberProperty("elapsedNs", each.elapsedNs());
      line.writeStringProperty("at", Moment.of(each.startedMs()));
      line.writeEndObject();
    }
    line.writeEndArray();
  }

  private void writeHeat(HeatCounts heat) {
    if (heat == null) {
      line.writeNullProperty("heatMap");
      return;
    }
    line.writeObjectPropertyStart("heatMap");
    line.writeNumberProperty("stepNs", heat.stepNs());
    line.writeNumberProperty("steps", heat.steps());
    writeCounts("fromNs", heat.fromNs());
    line.writeObjectPropertyStart("counts");
    for (Map.Entry<Stage, long[]> stage : heat.counts().entrySet()) {
      writeCounts(stage.getKey().word(), stage.getValue());
    }
    line.writeEndObject();
    line.writeEndObject();
  }

  private void writeCourse(Throughput.Course course) {
    if (course == null) {
      line.writeNullProperty("throughput");
      return;
    }
    line.writeObjectPropertyStart("throughput");
    line.writeNumberProperty("stepNs", course.stepNs());
    writeCounts("movedBytes", course.bytes());
    writeCounts("durableBytes", course.bytesDurable());
    writeCounts("carriedBytes", course.bytesCarried());
    line.writeEndObject();
  }

  private void writeCounts(String name, long[] counts) {
    if (counts == null) {
      line.writeNullProperty(name);
    } else {
      line.writeName(name);
      line.writeArray(counts, 0, counts.length);
    }
  }

  private void writeEntries(EntryCounts entries) {
    line.writeNumberProperty("directories", entries.directories());
    line.writeNumberProperty("symlinks", entries.symlinks());
    line.writeNumberProperty("hardLinks", entries.hardLinks());
    line.writeNumberProperty("specials", entries.specials());
    line.writeNumberProperty("kept", entries.kept());
    line.writeNumberProperty("skipped", entries.skipped());
    line.writeNumberProperty("deleted", entries.deleted());
  }

  private void writePlan(Plan plan) {
    if (plan == null) {
      line.writeNullProperty("planned");
      return;
    }
    line.writeObjectPropertyStart("planned");
    line.writeNumberProperty("files", plan.files());
    line.writeNumberProperty("bytes", plan.bytes());
    line.writeNumberProperty("replaced", plan.replaced());
    writeEntries(plan.entries());
    line.writeEndObject();
  }

  private void writeKind(String what, long entries, String firstName, String reason) {
    line.writeStringProperty("what", what);
    line.writeNumberProperty("entries", entries);
    line.writeStringProperty("firstName", firstName);
    line.writeStringProperty("reason", reason);
  }

  private void writeSession(Session session) {
    writeIfKnown("connections", session == null ? -1 : session.connections());
    writeIfKnown("bytesDirect", session == null ? -1 : session.bytesDirect());
    writeIfKnown("bytesResumed", session == null ? -1 : session.bytesResumed());
    writeIfKnown("bytesThere", session == null ? -1 : session.bytesThere());
    writeIfKnown("bytesResent", session == null ? -1 : session.bytesResent());
    line.writeStringProperty("verifiedBy", orNull(session == null ? "" : session.proof()));
    line.writeStringProperty("congestion", orNull(session == null ? "" : session.congestion()));
    if (session == null) {
      line.writeNullProperty("encrypted");
      line.writeNullProperty("socketBuffer");
      return;
    }
    line.writeBooleanProperty("encrypted", session.link().encrypted());
    SocketBuffer buffer = session.link().buffer();
    line.writeObjectPropertyStart("socketBuffer");
    line.writeStringProperty("option", buffer.option());
    writeIfKnown("askedBytes", buffer.isAsked() ? buffer.askedBytes() : -1);
    line.writeNumberProperty("givenBytes", buffer.givenBytes());
    line.writeEndObject();
  }

  private void writeUsage(ProcessUsage usage) {
    if (usage == null) {
      line.writeNullProperty("process");
      return;
    }
    line.writeObjectPropertyStart("process");
    line.writeNumberProperty("userNs", usage.userNs());
    line.writeNumberProperty("systemNs", usage.systemNs());
    line.writeNumberProperty("voluntarySwitches", usage.voluntarySwitches());
    line.writeNumberProperty("involuntarySwitches", usage.involuntarySwitches());
    line.writeNumberProperty("majorFaults", usage.majorFaults());
    writeIfKnown("readCalls", usage.readCalls());
    writeIfKnown("writeCalls", usage.writeCalls());
    writeIfKnown("deviceReadBytes", usage.deviceReadBytes());
    line.writeEndObject();
  }

  private void writePauses(Pauses pauses) {
    if (pauses == null) {
      line.writeNullProperty("pauses");
      return;
    }
    line.writeObjectPropertyStart("pauses");
    line.writeNumberProperty("count", pauses.count());
    line.writeNumberProperty("totalNs", pauses.totalNs());
    line.writeNumberProperty("maxNs", pauses.maxNs());
    line.writeNumberProperty("samplesOverlapped", pauses.samplesOverlapped());
    line.writeEndObject();
  }

  private void writeStrategies(List<Ran> all) {
    line.writeArrayPropertyStart("strategyUsed");
    for (Ran ran : all) {
      line.writeStartObject();
      line.writeStringProperty("strategy", ran.strategy());
      line.writeNumberProperty("bytes", ran.bytes());
      line.writeNumberProperty("steps", ran.steps());
      line.writeStringProperty("fellBackBecause", ran.fellBackBecause());
      line.writeEndObject();
    }
    line.writeEndArray();
  }

  private void writeAmount(long bytes, long elapsedNs) {
    line.writeNumberProperty("bytes", bytes);
    line.writeName("seconds");
    line.writeNumber(seconds(elapsedNs));
    line.writeNumberProperty(
        "bytesPerSecond", Math.round(new Rate(bytes, elapsedNs).bytesPerSecond()));
  }

  /// `0.000012345`: never `1.2345E-5`, which is JSON, too, but not to every script. By hand, since
  /// the first BigDecimal of a process takes 17 ms.
  private static String seconds(long elapsedNs) {
    String fraction = Long.toString(elapsedNs % NS_PER_SECOND);
    return elapsedNs / NS_PER_SECOND + "." + "0".repeat(9 - fraction.length()) + fraction;
  }

  private void writeExit(ExitCode exitCode, String message) {
    line.writeNumberProperty("exitCode", exitCode.number());
    line.writeStringProperty("exit", exitCode.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    line.writeStringProperty("message", message);
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private void writeIfKnown(String name, long amount) {
    if (amount < 0) {
      line.writeNullProperty(name);
    } else {
      line.writeNumberProperty(name, amount);
    }
  }
}

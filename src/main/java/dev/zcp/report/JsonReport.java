package dev.zcp.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Rate;
import dev.zcp.insight.Event;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Link.SocketBuffer;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Ran;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Stage;
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
/// the last is the `result`. What is not known is `null`. Keys and their meaning are kept from
/// release to release; new ones may be added.
public final class JsonReport implements Listener {

  private static final long NS_PER_SECOND = 1_000_000_000;

  private final PrintStream out;

  private final StringWriter text = new StringWriter();

  /// One for all lines: to make one costs more than to write the line of a file.
  private final JsonGenerator line =
      JsonFactory.builder()
          .rootValueSeparator("")
          .build()
          .createGenerator(ObjectWriteContext.empty(), text);

  /// @param out where the lines go, each written and flushed as a whole; whether they got there is
  ///   for the owner to ask by [PrintStream#checkError]
  public JsonReport(PrintStream out) {
    this.out = out;
  }

  @Override
  public void on(Event event) {
    // A file's start is left out: it would double the lines of a tree of small files and says
    // nothing
    // that its end does not.
    if (event instanceof Event.FileStarted) {
      return;
    }
    text.getBuffer().setLength(0);
    line.writeStartObject();
    write(line, event);
    line.writeEndObject();
    line.flush();
    // Encoded here and not by the generator, which refuses half a surrogate pair; here it becomes
    // '?'.
    byte[] bytes = text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  private static void write(JsonGenerator line, Event event) {
    // Not a switch, for the reason given in TextReport; a test sees to it that no event is
    // forgotten.
    if (event instanceof Event.Started started) {
      line.writeStringProperty("event", "started");
      line.writeStringProperty("command", started.command());
      line.writeStringProperty("strategyAsked", started.strategy());
      writeIfKnown(line, "files", started.files());
      writeIfKnown(line, "bytes", started.bytes());
    } else if (event instanceof Event.Listening listening) {
      line.writeStringProperty("event", "listening");
      line.writeStringProperty("url", listening.url());
    } else if (event instanceof Event.Connected connected) {
      line.writeStringProperty("event", "connected");
      line.writeStringProperty("peer", connected.link().peer());
      line.writeBooleanProperty("discards", connected.link().discards());
    } else if (event instanceof Event.FileDone done) {
      line.writeStringProperty("event", "file");
      line.writeStringProperty("name", done.name());
      writeStrategies(line, done.ran());
      writeAmount(line, done.bytes(), done.elapsedNs());
      line.writeStringProperty("verified", done.verified().label());
    } else if (event instanceof Event.FileFailed failed) {
      line.writeStringProperty("event", "fileFailed");
      line.writeStringProperty("name", failed.name());
      writeExit(line, failed.failure().exitCode(), failed.failure().getMessage());
    } else if (event instanceof Event.Failed failed) {
      line.writeStringProperty("event", "failed");
      writeExit(line, failed.failure().exitCode(), failed.failure().getMessage());
    } else if (event instanceof Event.Counted counted) {
      line.writeStringProperty("event", "counted");
      line.writeNumberProperty("files", counted.files());
      line.writeNumberProperty("bytes", counted.bytes());
    } else if (event instanceof Event.Kept kept) {
      line.writeStringProperty("event", "kept");
      line.writeStringProperty("name", kept.name());
      line.writeStringProperty("reason", kept.reason());
    } else if (event instanceof Event.Skipped skipped) {
      line.writeStringProperty("event", "skipped");
      line.writeStringProperty("name", skipped.name());
      line.writeStringProperty("reason", skipped.reason());
    } else if (event instanceof Event.PlanLine planned) {
      line.writeStringProperty("event", "planned");
      line.writeStringProperty("action", planned.action().word());
      line.writeStringProperty("name", planned.name());
      line.writeStringProperty("target", planned.target());
      writeIfKnown(line, "bytes", planned.bytes());
    } else if (event instanceof Event.Lost lost) {
      line.writeStringProperty("event", "lost");
      writeLost(line, lost);
    } else if (event instanceof Event.Declined declined) {
      line.writeStringProperty("event", "declined");
      writeDeclined(line, declined);
    } else if (event instanceof Event.Noted noted) {
      line.writeStringProperty("event", "note");
      line.writeStringProperty("message", noted.message());
    } else if (event instanceof Event.Finished finished) {
      line.writeStringProperty("event", "result");
      writeResult(line, finished.result());
    }
  }

  private static void writeResult(JsonGenerator line, Result result) {
    line.writeStringProperty("command", result.command());
    line.writeStringProperty("strategyAsked", result.strategyAsked());
    writeStrategies(line, result.ran());
    line.writeNumberProperty("files", result.filesDone());
    line.writeNumberProperty("filesFailed", result.filesFailed());
    writeAmount(line, result.bytes(), result.elapsedNs());
    line.writeStringProperty("verified", result.verified().label());
    line.writeBooleanProperty("discarded", result.isDiscarded());
    writeEntries(line, result.tree().entries());
    writePlan(line, result.tree().plan());
    line.writeArrayPropertyStart("losses");
    for (Event.Lost lost : result.tree().losses()) {
      line.writeStartObject();
      writeLost(line, lost);
      line.writeEndObject();
    }
    line.writeEndArray();
    line.writeArrayPropertyStart("declined");
    for (Event.Declined declined : result.tree().declined()) {
      line.writeStartObject();
      writeDeclined(line, declined);
      line.writeEndObject();
    }
    line.writeEndArray();
    line.writeObjectPropertyStart("paths");
    for (Map.Entry<String, Long> path : result.tree().paths().entrySet()) {
      line.writeNumberProperty(path.getKey(), path.getValue());
    }
    line.writeEndObject();
    writeIfKnown(line, "bytesDurable", result.tree().bytesDurable());
    writeSession(line, result.session());
    writeExit(line, result.exitCode(), result.message());
    line.writeObjectPropertyStart("latencies");
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      Latencies latencies = stage.getValue();
      line.writeObjectPropertyStart(stage.getKey().word());
      line.writeNumberProperty("count", latencies.count());
      line.writeNumberProperty("minNs", latencies.minNs());
      line.writeNumberProperty("p50Ns", latencies.percentileNs(50));
      line.writeNumberProperty("p90Ns", latencies.percentileNs(90));
      line.writeNumberProperty("p99Ns", latencies.percentileNs(99));
      line.writeNumberProperty("p999Ns", latencies.percentileNs(99.9));
      line.writeNumberProperty("maxNs", latencies.maxNs());
      line.writeNumberProperty("meanNs", latencies.meanNs());
      line.writeEndObject();
    }
    line.writeEndObject();
  }

  private static void writeEntries(JsonGenerator line, EntryCounts entries) {
    line.writeNumberProperty("directories", entries.directories());
    line.writeNumberProperty("symlinks", entries.symlinks());
    line.writeNumberProperty("hardLinks", entries.hardLinks());
    line.writeNumberProperty("specials", entries.specials());
    line.writeNumberProperty("kept", entries.kept());
    line.writeNumberProperty("skipped", entries.skipped());
  }

  private static void writePlan(JsonGenerator line, Plan plan) {
    if (plan == null) {
      line.writeNullProperty("planned");
      return;
    }
    line.writeObjectPropertyStart("planned");
    line.writeNumberProperty("files", plan.files());
    line.writeNumberProperty("bytes", plan.bytes());
    line.writeNumberProperty("replaced", plan.replaced());
    writeEntries(line, plan.entries());
    line.writeEndObject();
  }

  private static void writeLost(JsonGenerator line, Event.Lost lost) {
    line.writeStringProperty("what", lost.what());
    line.writeNumberProperty("entries", lost.entries());
    line.writeStringProperty("firstName", lost.firstName());
    line.writeStringProperty("reason", lost.reason());
  }

  private static void writeDeclined(JsonGenerator line, Event.Declined declined) {
    line.writeStringProperty("what", declined.what());
    line.writeNumberProperty("entries", declined.entries());
    line.writeStringProperty("firstName", declined.firstName());
    line.writeStringProperty("reason", declined.reason());
  }

  private static void writeSession(JsonGenerator line, Session session) {
    writeIfKnown(line, "connections", session == null ? -1 : session.connections());
    writeIfKnown(line, "bytesResumed", session == null ? -1 : session.bytesResumed());
    writeIfKnown(line, "bytesResent", session == null ? -1 : session.bytesResent());
    writeIfSaid(line, "verifiedBy", session == null ? "" : session.proof());
    writeIfSaid(line, "congestion", session == null ? "" : session.congestion());
    if (session == null) {
      line.writeNullProperty("socketBuffer");
      return;
    }
    SocketBuffer buffer = session.link().buffer();
    line.writeObjectPropertyStart("socketBuffer");
    line.writeStringProperty("option", buffer.option());
    writeIfKnown(line, "askedBytes", buffer.isAsked() ? buffer.askedBytes() : -1);
    line.writeNumberProperty("givenBytes", buffer.givenBytes());
    line.writeEndObject();
  }

  private static void writeStrategies(JsonGenerator line, List<Ran> all) {
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

  private static void writeAmount(JsonGenerator line, long bytes, long elapsedNs) {
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

  private static void writeExit(JsonGenerator line, ExitCode exitCode, String message) {
    line.writeNumberProperty("exitCode", exitCode.number());
    line.writeStringProperty("exit", exitCode.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    line.writeStringProperty("message", message);
  }

  private static void writeIfSaid(JsonGenerator line, String name, String text) {
    if (text.isEmpty()) {
      line.writeNullProperty(name);
    } else {
      line.writeStringProperty(name, text);
    }
  }

  private static void writeIfKnown(JsonGenerator line, String name, long amount) {
    if (amount < 0) {
      line.writeNullProperty(name);
    } else {
      line.writeNumberProperty(name, amount);
    }
  }
}

package dev.zcp.plan;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import dev.zcp.report.ReportFile;
import dev.zcp.report.SavedRuns;
import dev.zcp.tree.Reasons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// How the last copy of a shard ended: `results/I.json` in the directory of the plan. It has two
/// lines: one of when and where, and the result as `--json` has it.
///
/// @param name of the shard
/// @param message why it failed, or empty
/// @param kept how many files were there already
/// @param elapsedNs how long it took
public record ShardResult(
    String name,
    int exitCode,
    String message,
    long files,
    long kept,
    long bytes,
    long elapsedNs,
    Instant started,
    Instant ended) {

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final long NS_PER_SECOND = 1_000_000_000;

  /// As nanoseconds they fit a long.
  private static final long SECONDS_MAX = Long.MAX_VALUE / NS_PER_SECOND;

  public boolean isDone() {
    return exitCode == 0;
  }

  /// Keeps how a shard ended in place of how it ended before. The file is whole at any moment.
  ///
  /// @param resultLine the event `result` of `--json`
  /// @throws Failure DESTINATION if it cannot be written
  public static void write(Shard shard, Instant started, byte[] resultLine) throws Failure {
    RawPath file = file(shard);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      writeRun(shard, started, text);
      text.write(resultLine);
      Files.createDirectories(file.parent().toPath());
    } catch (IOException e) {
      throw Reasons.destination(file, e);
    }
    ReportFile.write(text.toByteArray(), file.toPath(), "the result");
  }

  private static void writeRun(Shard shard, Instant started, ByteArrayOutputStream text)
      throws IOException {
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonGenerator json =
        factory.createGenerator(ObjectWriteContext.empty(), text, JsonEncoding.UTF8)) {
      json.writeStartObject();
      json.writeStringProperty("event", "shard");
      json.writeStringProperty("shard", shard.name());
      json.writeStringProperty("host", Files.readString(HOST_NAME).strip());
      json.writeStringProperty("started", started.toString());
      json.writeStringProperty("ended", Instant.now().toString());
      json.writeEndObject();
    }
    text.write('\n');
  }

  /// @return null if it never ended
  /// @throws Failure SOURCE if the file is damaged or cannot be read
  static ShardResult read(Shard shard) throws Failure {
    RawPath file = file(shard);
    try {
      PlanFields fields = PlanFields.read(file, "copy the shard again");
      return new ShardResult(
          shard.name(),
          (int) fields.number("exitCode", 0, 255),
          fields.text("message"),
          fields.number("files", 0, Long.MAX_VALUE),
          fields.number("kept", 0, Long.MAX_VALUE),
          fields.number("bytes", 0, Long.MAX_VALUE),
          elapsedNs(fields),
          instant(fields, "started"),
          instant(fields, "ended"));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  private static long elapsedNs(PlanFields fields) throws Failure {
    try {
      double seconds = Double.parseDouble(fields.text("seconds"));
      if (seconds >= 0 && seconds < SECONDS_MAX) {
        return Math.round(seconds * NS_PER_SECOND);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw fields.malformed("seconds");
  }

  /// @throws Failure SOURCE if it is no time since 1970, or one that nanoseconds since then do not
  ///   reach
  private static Instant instant(PlanFields fields, String name) throws Failure {
    try {
      Instant instant = Instant.parse(fields.text(name));
      if (instant.getEpochSecond() >= 0 && instant.getEpochSecond() < SECONDS_MAX) {
        return instant;
      }
    } catch (DateTimeParseException e) {
      // Told below.
    }
    throw fields.malformed(name);
  }

  /// The latencies of the stages, as far as the result has them.
  ///
  /// @throws Failure SOURCE if the file is damaged or cannot be read
  static Map<Stage, Latencies> latencies(Shard shard) throws Failure {
    RawPath file = file(shard);
    SavedRuns saved = new SavedRuns();
    try (InputStream in = PlanFields.open(file)) {
      saved.read(in, file.toString());
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
    return saved.runs().getLast().stages();
  }

  private static RawPath file(Shard shard) {
    return shard
        .directory()
        .resolve("results".getBytes(StandardCharsets.US_ASCII))
        .resolve((shard.name() + ".json").getBytes(StandardCharsets.US_ASCII));
  }
}

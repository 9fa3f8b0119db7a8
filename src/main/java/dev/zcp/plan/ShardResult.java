package dev.zcp.plan;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonType;
import dev.zcp.linux.OwnProcess;
import dev.zcp.report.ReportFile;
import dev.zcp.report.SavedRun;
import dev.zcp.tree.Reasons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// How the last copy of a shard ended: `results/I.json` in the directory of the plan. It has two
/// lines: one of when and where, and the result as `--json` has it.
///
/// @param name of the shard
/// @param host null if it was read
/// @param result null before it is read; without latencies
public record ShardResult(String name, String host, Instant started, Instant ended, Result result) {

  /// As nanoseconds since 1970 they fit a long.
  private static final long SECONDS_MAX = Long.MAX_VALUE / 1_000_000_000;

  private static final JsonType<Instant> TIME =
      JsonType.TEXT.as(
          Instant::toString,
          text -> {
            Instant time = Instant.parse(text);
            long seconds = time.getEpochSecond();
            return seconds >= 0 && seconds < SECONDS_MAX ? time : null;
          });

  private static final JsonTable<ShardResult> TABLE =
      new JsonTable<ShardResult>()
          .field("event", JsonType.TEXT, _ -> "shard")
          .field("shard", JsonType.TEXT, ShardResult::name)
          .field("host", JsonType.TEXT, ShardResult::host)
          .field("started", TIME, ShardResult::started)
          .field("ended", TIME, ShardResult::ended);

  public boolean isDone() {
    return result.exitCode().number() == 0;
  }

  /// Keeps how a shard ended in place of how it ended before. The file is whole at any moment.
  ///
  /// @param resultLine the event `result` of `--json`
  /// @throws Failure DESTINATION if it cannot be written
  public static void write(Shard shard, Instant started, byte[] resultLine) throws Failure {
    RawPath file = file(shard);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      String host = OwnProcess.host();
      ShardResult now = new ShardResult(shard.name(), host, started, Instant.now(), null);
      text.write(new JsonLines().line(TABLE, now));
      text.write(resultLine);
      Files.createDirectories(file.parent().toPath());
    } catch (IOException e) {
      throw Reasons.destination(file, e);
    }
    ReportFile.write(text.toByteArray(), file.toPath(), "the result");
  }

  /// @param all what the latencies of the shard's stages are added to
  /// @return null if it never ended
  /// @throws Failure SOURCE if the file is damaged or cannot be read
  static ShardResult read(Shard shard, Map<Stage, Latencies> all) throws Failure {
    RawPath file = file(shard);
    try {
      return ShardPlan.read(file, "copy the shard again", text -> of(shard.name(), text, all));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  private static ShardResult of(String name, byte[] text, Map<Stage, Latencies> all) {
    int end = 0;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    JsonObject when = JsonObject.parse(Arrays.copyOf(text, end), "");
    JsonObject how = JsonObject.parse(Arrays.copyOfRange(text, end, text.length), "");
    Instant started = when.get("started", TIME);
    Instant ended = when.get("ended", TIME);
    SavedRun run = SavedRun.of(name, name, how, List.of(), 0);
    run.stages().forEach((stage, latencies) -> all.merge(stage, latencies, Latencies::plus));
    return new ShardResult(name, null, started, ended, run.result());
  }

  private static RawPath file(Shard shard) {
    return shard
        .directory()
        .resolve("results".getBytes(StandardCharsets.US_ASCII))
        .resolve((shard.name() + ".json").getBytes(StandardCharsets.US_ASCII));
  }
}

package dev.zcp.plan;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonObject.MalformedJson;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonType;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.function.Function;

/// What `plan.json` holds.
///
/// @param source the directory that was planned, absolute
/// @param shards how many there are
/// @param entries of all kinds but directories that are not empty
/// @param bytes of regular files, each file once
public record ShardPlan(RawPath source, int shards, long entries, long bytes, CostModel cost) {

  /// Each has a file and a buffer while a plan is made.
  public static final int SHARDS_MAX = 10_000;

  /// Goes up if an older zcp would misread a plan.
  private static final long FORMAT = 1;

  private static final String REMEDY = "zcp plan makes it, and nobody may change it";

  /// Above what a result with all its losses takes.
  private static final int FILE_BYTES_MAX = 16 << 20;

  private static final byte[] NAME = "plan.json".getBytes(StandardCharsets.US_ASCII);

  private static final JsonType<Long> ABOVE_ZERO = JsonType.count(1, Long.MAX_VALUE);

  private static final JsonTable<CostModel> COST =
      new JsonTable<CostModel>(v -> new CostModel(v.get(), v.get()))
          .field("perFileNs", ABOVE_ZERO, CostModel::perFileNs)
          .field("nsPerMiB", ABOVE_ZERO, CostModel::nsPerMiB);

  /// Percent-encoded, since the bytes of a path need not be text.
  private static final JsonType<RawPath> PATH =
      JsonType.TEXT.as(
          path -> path.toPath().toUri().toString(), text -> RawPath.of(Path.of(URI.create(text))));

  private static final JsonTable<ShardPlan> TABLE =
      new JsonTable<ShardPlan>(v -> new ShardPlan(v.get(), v.get(), v.get(), v.get(), v.get()))
          .format(FORMAT)
          .field("source", PATH, ShardPlan::source)
          .field("shards", JsonType.integer(1, SHARDS_MAX), ShardPlan::shards)
          .field("entries", JsonType.COUNT, ShardPlan::entries)
          .field("bytes", JsonType.COUNT, ShardPlan::bytes)
          .all(COST, ShardPlan::cost);

  /// @throws Failure SOURCE if `directory` holds no plan
  public static ShardPlan read(RawPath directory) throws Failure {
    RawPath file = directory.resolve(NAME);
    try {
      return read(file, REMEDY, text -> TABLE.read(JsonObject.parse(text, "")));
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw Failure.of(ExitCode.SOURCE, directory.toString(), "holds no plan")
          .with("zcp plan SOURCE --shards=N --output=" + directory + " makes one")
          .because(e);
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  /// Reads a file of a plan.
  ///
  /// @param remedy what to do if it is damaged
  /// @throws IOException if it cannot be read
  /// @throws Failure SOURCE if it is damaged
  static <T> T read(RawPath file, String remedy, Function<byte[], T> parse)
      throws IOException, Failure {
    FileStatus.of(file).requireRegular(file);
    try (InputStream in = Files.newInputStream(file.toPath())) {
      return parse.apply(in.readNBytes(FILE_BYTES_MAX));
    } catch (MalformedJson e) {
      throw Failure.of(ExitCode.SOURCE, file.toString(), e.getMessage()).with(remedy).because(e);
    }
  }

  void write(Path directory) throws IOException {
    Path file = RawPath.of(directory).resolve(NAME).toPath();
    Files.write(file, new JsonLines().line(TABLE, this));
  }
}

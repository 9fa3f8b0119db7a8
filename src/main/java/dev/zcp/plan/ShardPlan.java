package dev.zcp.plan;

import dev.zcp.core.Crc32c;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.function.Function;

/// What `plan.json` holds.
///
/// @param source the directory that was planned, absolute
/// @param shards how many there are
/// @param entries of all kinds but directories that are not empty
/// @param bytes of regular files, each file once
/// @param checksums the CRC32C of each list in hexadecimal, that of all directories last; empty
///   while the plan is made
public record ShardPlan(
    RawPath source, int shards, long entries, long bytes, CostModel cost, String checksums) {

  /// Each has a file and a buffer while a plan is made.
  public static final int SHARDS_MAX = 10_000;

  /// Goes up if an older zcp would misread a plan.
  private static final long FORMAT = 2;

  private static final int CHECKSUM_DIGITS = 8;

  private static final int BUFFER_BYTES = 1 << 16;

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
      new JsonTable<ShardPlan>(
              v -> new ShardPlan(v.get(), v.get(), v.get(), v.get(), v.get(), v.get()))
          .format(FORMAT)
          .field("source", PATH, ShardPlan::source)
          .field("shards", JsonType.integer(1, SHARDS_MAX), ShardPlan::shards)
          .field("entries", JsonType.COUNT, ShardPlan::entries)
          .field("bytes", JsonType.COUNT, ShardPlan::bytes)
          .all(COST, ShardPlan::cost)
          .field("checksums", JsonType.TEXT, ShardPlan::checksums);

  static boolean isIn(RawPath directory) {
    return FileStatus.exists(directory.resolve(NAME));
  }

  /// @throws Failure SOURCE if `directory` holds no plan
  public static ShardPlan read(RawPath directory) throws Failure {
    RawPath file = directory.resolve(NAME);
    try {
      ShardPlan plan = read(file, REMEDY, text -> TABLE.read(JsonObject.parse(text, "")));
      plan.requireChecksums(file);
      return plan;
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw Failure.of(ExitCode.SOURCE, directory, "holds no plan")
          .with("zcp plan SOURCE --shards=N --output=" + directory + " makes one")
          .because(e);
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  private void requireChecksums(RawPath file) throws Failure {
    boolean isHex = checksums.length() == CHECKSUM_DIGITS * (shards + 1);
    for (int i = 0; i < checksums.length(); i++) {
      isHex &= HexFormat.isHexDigit(checksums.charAt(i));
    }
    if (!isHex) {
      throw Failure.of(ExitCode.SOURCE, file, "has no checksum of each list").with(REMEDY);
    }
  }

  /// The CRC32C of a list.
  ///
  /// @param list the number of a shard, or [#shards] for that of all directories
  long checksum(int list) {
    int start = CHECKSUM_DIGITS * list;
    return HexFormat.fromHexDigitsToLong(checksums, start, start + CHECKSUM_DIGITS);
  }

  private String checksumsOf(Path directory) throws IOException {
    StringBuilder digits = new StringBuilder();
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int i = 0; i <= shards; i++) {
      String name = i == shards ? Shard.DIRECTORIES : Integer.toString(i);
      Crc32c checksum = new Crc32c();
      try (InputStream list = Files.newInputStream(directory.resolve(name))) {
        for (int count = list.read(buffer); count >= 0; count = list.read(buffer)) {
          checksum.update(ByteBuffer.wrap(buffer, 0, count));
        }
      }
      digits.append(HexFormat.of().toHexDigits(checksum.value()));
    }
    return digits.toString();
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
      throw Failure.of(ExitCode.SOURCE, file, e.getMessage()).with(remedy).because(e);
    }
  }

  void write(Path directory) throws IOException {
    Path file = RawPath.of(directory).resolve(NAME).toPath();
    ShardPlan checked = new ShardPlan(source, shards, entries, bytes, cost, checksumsOf(directory));
    Files.write(file, new JsonLines().line(TABLE, checked));
  }
}

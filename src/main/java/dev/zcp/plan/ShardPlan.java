package dev.zcp.plan;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.tree.Reasons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

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
  private static final int FORMAT = 1;

  private static final byte[] NAME = "plan.json".getBytes(StandardCharsets.US_ASCII);

  /// @throws Failure SOURCE if `directory` holds no plan
  public static ShardPlan read(RawPath directory) throws Failure {
    RawPath file = directory.resolve(NAME);
    PlanFields fields;
    try {
      fields = PlanFields.read(file, "zcp plan makes it, and nobody may change it");
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw Failure.of(ExitCode.SOURCE, directory.toString(), "holds no plan")
          .with("zcp plan SOURCE --shards=N --output=" + directory + " makes one")
          .because(e);
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
    long format = fields.number("format", 0, Long.MAX_VALUE);
    if (format != FORMAT) {
      throw Failure.of(
          ExitCode.SOURCE,
          file.toString(),
          "is of format " + format + ", and this zcp knows " + FORMAT);
    }
    return new ShardPlan(
        source(fields),
        (int) fields.number("shards", 1, SHARDS_MAX),
        fields.number("entries", 0, Long.MAX_VALUE),
        fields.number("bytes", 0, Long.MAX_VALUE),
        new CostModel(
            fields.number("perFileNs", 1, Long.MAX_VALUE),
            fields.number("nsPerMiB", 1, Long.MAX_VALUE)));
  }

  private static RawPath source(PlanFields fields) throws Failure {
    try {
      return RawPath.of(Path.of(URI.create(fields.text("source"))));
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw fields.malformed("source").because(e);
    }
  }

  /// The path is percent-encoded, since its bytes need not be text.
  void write(Path directory) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonGenerator json =
        factory.createGenerator(ObjectWriteContext.empty(), text, JsonEncoding.UTF8)) {
      json.writeStartObject();
      json.writeNumberProperty("format", FORMAT);
      json.writeStringProperty("source", source.toPath().toUri().toString());
      json.writeNumberProperty("shards", shards);
      json.writeNumberProperty("entries", entries);
      json.writeNumberProperty("bytes", bytes);
      json.writeNumberProperty("perFileNs", cost.perFileNs());
      json.writeNumberProperty("nsPerMiB", cost.nsPerMiB());
      json.writeEndObject();
    }
    text.write('\n');
    Files.write(RawPath.of(directory).resolve(NAME).toPath(), text.toByteArray());
  }
}

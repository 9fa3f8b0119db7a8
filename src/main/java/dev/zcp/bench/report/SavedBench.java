package dev.zcp.bench.report;

import dev.zcp.bench.result.Machine;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads a benchmark from its JSON. Nothing in the file is believed: what is missing, of another
/// kind or out of bounds is a failure that names the line.
final class SavedBench {

  /// A run of 1,000 cells with 100 runs each takes 3 MiB.
  static final int FILE_BYTES_MAX = 64 << 20;

  private final String file;

  /// A group that was announced, and the rows found for it.
  private record Open(String title, String note, long cells, List<Row> rows) {}

  private SavedBench(String file) {
    this.file = file;
  }

  static BenchJson.Saved read(Path path) throws Failure {
    String file = Printable.of(path.toString());
    return new BenchJson.Saved(file, new SavedBench(file).parse(text(path, file)));
  }

  private static String text(Path path, String file) throws Failure {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(FILE_BYTES_MAX + 1);
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.SOURCE, file, "no such file").because(e);
    } catch (IOException e) {
      throw Failure.of(ExitCode.SOURCE, file, "cannot be read: " + e.getMessage()).because(e);
    }
    if (bytes.length > FILE_BYTES_MAX) {
      throw Failure.of(
          ExitCode.USAGE, file, "is larger than 64 MiB, so it is no benchmark (" + REMEDY + ")");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw Failure.of(ExitCode.USAGE, file, "is not text in UTF-8 (" + REMEDY + ")").because(e);
    }
  }

  static final String REMEDY = "give a file that zcp bench --json wrote";

  private Sheet parse(String text) throws Failure {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, file, "is empty (" + REMEDY + ")");
    }
    Fields begin = fields(lines, 0);
    begin.mustBeKind("bench");
    Fields machine = begin.object("machine");
    List<Open> groups = new ArrayList<>();
    for (Fields group : begin.objects("groups")) {
      groups.add(
          new Open(
              group.text("title"),
              group.text("note"),
              group.count("cells", Integer.MAX_VALUE),
              new ArrayList<>()));
    }
    int at = 1;
    for (Open group : groups) {
      for (long i = 0; i < group.cells(); i++) {
        Fields cell = fields(lines, at++);
        cell.mustBeKind("cell");
        cell.mustBe("group", group.title());
        group.rows().add(SavedCell.row(cell));
      }
    }
    Fields end = fields(lines, at);
    end.mustBeKind("end");
    if (lines.size() > at + 1) {
      throw Failure.of(
          ExitCode.USAGE, file, "line " + (at + 2) + ": something after the end (" + REMEDY + ")");
    }
    return new Sheet(
        begin.text("command"),
        begin.text("version"),
        begin.number("startedMs"),
        new Machine(
            machine.text("processor"),
            (int) machine.count("processors", Integer.MAX_VALUE),
            machine.count("memoryBytes", Long.MAX_VALUE),
            machine.text("kernel"),
            machine.text("java"),
            machine.text("fileSystem")),
        begin.number("seed"),
        groups.stream()
            .map(open -> new Sheet.Group(open.title(), open.note(), open.rows()))
            .toList(),
        end.texts("warnings"),
        (int) end.count("exitCode", 255));
  }

  private Fields fields(List<String> lines, int index) throws Failure {
    if (index >= lines.size()) {
      throw Failure.of(
          ExitCode.USAGE,
          file,
          "ends after line " + lines.size() + ", before the benchmark did (" + REMEDY + ")");
    }
    return Fields.parse(file + ": line " + (index + 1), lines.get(index));
  }
}

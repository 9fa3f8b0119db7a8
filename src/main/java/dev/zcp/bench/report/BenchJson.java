package dev.zcp.bench.report;

import dev.zcp.bench.result.BenchResult;
import dev.zcp.core.Failure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// A benchmark for programs, and for a later `--compare`: JSON in UTF-8, one object a line, each
/// with its `kind`: `bench`, then a `cell` for each cell, then `end`. What is not known is `null`.
/// Keys and their meaning are kept from release to release; new ones may be added.
public final class BenchJson {

  private BenchJson() {}

  /// A benchmark of an older run.
  public static final class Saved {

    private final String file;
    private final Sheet sheet;

    Saved(String file, Sheet sheet) {
      this.file = file;
      this.sheet = sheet;
    }

    /// Where it was read from, printable.
    String file() {
      return file;
    }

    Sheet sheet() {
      return sheet;
    }
  }

  /// Does not close `out`.
  public static void write(BenchResult result, OutputStream out) throws IOException {
    write(Sheet.of(result), Changes.NONE, out);
  }

  /// As [#write(BenchResult, OutputStream)], and each cell that the older run has, too, says in
  /// `compare` what became of it.
  public static void write(BenchResult result, Comparison comparison, OutputStream out)
      throws IOException {
    write(Sheet.of(result), comparison.changes(), out);
  }

  static void write(Sheet sheet, Changes changes, OutputStream out) throws IOException {
    JsonFactory json = JsonFactory.builder().build();
    line(json, out, to -> JsonLines.begin(to, sheet));
    for (int group = 0; group < sheet.groups().size(); group++) {
      Sheet.Group each = sheet.groups().get(group);
      for (int i = 0; i < each.rows().size(); i++) {
        Row row = each.rows().get(i);
        Change change = changes.of(group, i);
        line(json, out, to -> JsonLines.cell(to, each.title(), row, change));
      }
    }
    line(json, out, to -> JsonLines.end(to, sheet));
  }

  private static void line(JsonFactory json, OutputStream out, Consumer<JsonGenerator> content)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = json.createGenerator(ObjectWriteContext.empty(), text)) {
      generator.writeStartObject();
      content.accept(generator);
      generator.writeEndObject();
    }
    // Encoded here and not by the generator, which refuses half a surrogate pair; here it is '?'.
    out.write(text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  /// Reads what [#write] wrote. Keys it does not know are passed over.
  ///
  /// @throws Failure SOURCE where the file cannot be read; USAGE where it is not such a file, is
  ///   not complete, or is larger than 64 MiB; the message tells the line
  public static Saved read(Path file) throws Failure {
    return SavedBench.read(file);
  }
}

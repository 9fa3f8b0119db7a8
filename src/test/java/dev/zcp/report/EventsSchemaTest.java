package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.zcp.insight.Event;
import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The published schema describes each line of `--json`, and no field that is not written.
class EventsSchemaTest {

  private static final Path FILE = Path.of("src/main/schema/events.schema.json");

  @TempDir private Path folder;

  @Test
  void everyEventIsAsTheSchemaSays() throws IOException {
    Page page = new Page();
    JsonReport report = new JsonReport(page.out());
    JsonReportTest.oneOfEach().forEach(report::on);
    List<Event> copy = Recorded.copyWithAFailure();
    copy.forEach(report::on);
    assertValid(page.text());
  }

  @Test
  void whatCommandsWriteIsAsTheSchemaSays() throws IOException {
    Path tree = Files.createDirectories(folder.resolve("tree/inside"));
    Files.write(tree.resolve("file"), new byte[100_000]);
    Files.createSymbolicLink(tree.resolve("link"), Path.of("file"));
    String source = folder.resolve("tree").toString();
    String target = folder.resolve("target").toString();
    for (String[] arguments :
        new String[][] {
          {"copy", "--json", "-a", "--dry-run", source, target},
          {"copy", "--json", "-a", source, target},
          {"copy", "--json", "-r", "--delete", tree.toString() + "/.", target},
          {"copy", "--json", folder.resolve("missing").toString(), target}
        }) {
      assertValid(Cli.run(arguments).out());
    }
  }

  @Test
  void aLineWithAnotherFieldOrTypeIsNoEvent() throws IOException {
    String note = "{\"event\":\"note\",\"message\":\"text\"}";
    assertValid(note);
    assertThat(errors(note.replace("\"text\"", "1"))).isNotEmpty();
    assertThat(errors(note.replace("message", "text"))).isNotEmpty();
    assertThat(errors(note.replace("}", ",\"more\":1}"))).isNotEmpty();
  }

  private static void assertValid(String lines) throws IOException {
    assertThat(lines).isNotEmpty();
    for (String line : lines.split("\n")) {
      assertThat(errors(line)).as(line).isEmpty();
    }
  }

  /// The schema allows fields that are added later; here there are none.
  private static List<?> errors(String line) throws IOException {
    String strict =
        Files.readString(FILE)
            .replace("\"additionalProperties\": true", "\"additionalProperties\": false");
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(strict);
    return schema.validate(line, InputFormat.JSON);
  }
}

package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.zcp.insight.Event;
import dev.zcp.json.JsonTable;
import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
  void theSchemaHasTheFieldsOfTheTablesAndNoOthers() throws IOException {
    Map<String, Object> published = JsonReportTest.parse(Files.readString(FILE));
    Map<?, ?> definitions = (Map<?, ?>) published.get("$defs");
    for (Event event : JsonReportTest.oneOfEach()) {
      JsonTable<?> table = EventTables.of(event.getClass());
      if (table != null) {
        Page page = new Page();
        new JsonReport(page.out()).on(event);
        Object name = JsonReportTest.parse(page.text()).get("event");
        assertThat(bare(definitions.get(name), definitions))
            .as(name.toString())
            .isEqualTo(bare(JsonReportTest.parse(table.schema()), definitions));
      }
    }
  }

  /// Without references and what is only for people; a word that is one of several is any text.
  private static Object bare(Object schema, Map<?, ?> definitions) {
    if (schema instanceof List<?> list) {
      return list.stream()
          .map(each -> bare(each, definitions))
          .sorted(Comparator.comparing(String::valueOf))
          .toList();
    }
    if (!(schema instanceof Map<?, ?> map)) {
      return schema;
    }
    Map<Object, Object> bare = new TreeMap<>();
    for (Map.Entry<?, ?> each : map.entrySet()) {
      // It is one more of what has it, without end.
      if (!each.getKey().equals("corrected")) {
        bare.put(each.getKey(), bare(each.getValue(), definitions));
      }
    }
    bare.keySet().removeAll(Set.of("contentEncoding", "const", "enum", "maximum"));
    if (bare.get("description") instanceof String) {
      bare.remove("description");
    }
    bare.remove("additionalProperties", true);
    if (map.containsKey("const") || map.containsKey("enum")) {
      boolean orNull = map.get("enum") instanceof List<?> words && words.contains(null);
      bare.put("type", orNull ? List.of("null", "string") : "string");
    }
    if (bare.get("$ref") instanceof String reference) {
      String name = reference.substring(reference.lastIndexOf('/') + 1);
      return bare(definitions.get(name), definitions);
    }
    return bare;
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

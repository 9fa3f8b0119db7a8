package dev.zcp.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.result.BenchResult;
import dev.zcp.testing.Golden;
import dev.zcp.testing.SampleBench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchCsvTest {

  @Test
  void aCellIsARowAndTheFirstNamesTheColumns() throws IOException {
    Golden.check("cells.csv", csv(SampleBench.result()).replace("\r\n", "\n"));
  }

  @Test
  void everyLineEndsAsTheRfcHasItAndHasAllColumns() throws IOException {
    for (BenchResult result : List.of(SampleBench.result(), SampleBench.hostile("a,\"b\"\n\r,"))) {
      String text = csv(result);
      assertThat(text).endsWith("\r\n");
      assertThat(text.replace("\r\n", "").chars()).noneMatch(Character::isISOControl);
      List<List<String>> rows = text.lines().map(BenchCsvTest::fields).toList();
      assertThat(rows).allMatch(row -> row.size() == rows.getFirst().size());
    }
  }

  @Test
  void aCellWithoutASocketHasNoPeer() throws IOException {
    List<String> lines = csv(SampleBench.result()).lines().toList();
    int peer = fields(lines.getFirst()).indexOf("peer");
    assertThat(fields(lines.get(1)).get(peer)).isEmpty();
    List<String> sends = csv(SampleBench.hostile("a")).lines().toList();
    assertThat(fields(sends.get(1)).get(peer)).isEqualTo("512K");
  }

  @Test
  void commasAndQuotesComeBackAsTheyWere() throws IOException {
    List<String> row =
        fields(csv(SampleBench.hostile("a,\"b\",<script>\n")).lines().toList().get(1));
    assertThat(row).startsWith("a,\"b\",<script>\\n", "send", "a,\"b\",<script>\\n", "own");
  }

  @Test
  void whatIsNotKnownIsEmpty() throws IOException {
    List<String> lines = csv(SampleBench.hostile("a")).lines().toList();
    int systemCalls = fields(lines.getFirst()).indexOf("systemCalls");
    assertThat(fields(lines.get(1)).get(systemCalls)).isEmpty();
    assertThat(String.join("", lines)).doesNotContain("NaN").doesNotContain("Infinity");
  }

  private static String csv(BenchResult result) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BenchCsv.write(result, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /// The fields of one line, as RFC 4180 reads it.
  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean doubled = c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"';
      if (doubled) {
        field.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }
}

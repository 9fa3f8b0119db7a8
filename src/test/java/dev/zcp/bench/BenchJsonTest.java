package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.engine.Choice;
import dev.zcp.testing.Golden;
import dev.zcp.testing.SampleBench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class BenchJsonTest {

  @Test
  void aRunIsALineForItselfALineForEachCellAndAnEnd() throws IOException {
    BenchResult result = SampleBench.result(List.of(SampleBench.article()), "a warning");
    Golden.check("cells.json", json(result));
  }

  @Test
  void everythingThatTellsCellsApartIsWritten() throws IOException {
    for (long chunkBytes : new long[] {1, Choice.WHOLE, Choice.ADAPTIVE}) {
      for (Cell.ForceRule forcing :
          List.of(
              Cell.ForceRule.NEVER,
              Cell.ForceRule.AT_THE_END,
              new Cell.ForceRule(16 << 10, true))) {
        Cell cell =
            new Cell(
                Experiment.SEND,
                "heap",
                chunkBytes,
                0,
                Cell.Cache.COLD,
                Cell.ForceRule.NEVER,
                new Cell.Peer(2_048, true),
                65_536,
                new Cell.ArticleClaim("C 1", "", Double.NaN, 1 << 20));
        String json = json(result(new SampleBench.Of(cell).forces(forcing, 5, 7).unseenCopies()));
        String chunk = chunkBytes == 1 ? "1" : chunkBytes == Choice.WHOLE ? "\"whole\"" : "\"own\"";
        String every =
            forcing.equals(Cell.ForceRule.NEVER)
                ? "\"never\""
                : forcing.equals(Cell.ForceRule.AT_THE_END) ? "\"end\"" : "16384";
        assertThat(json)
            .contains(
                "\"experiment\":\"send\",\"strategy\":\"heap\",\"chunk\":" + chunk,
                "\"bytes\":0,\"cache\":\"cold\",\"forceEvery\":" + every,
                "\"forceAsynchronously\":" + forcing.asynchronous(),
                "\"peerChunk\":2048,\"peerToFile\":true,\"socketBufferAsked\":65536",
                "{\"row\":\"C 1\",\"figures\":\"\",\"meanMs\":null,\"bytes\":1048576}",
                "\"userBytes\":null",
                "\"forces\":2,\"forceLatencyNs\":{\"p50\":5,");
      }
    }
  }

  @Test
  void timesLoseNoNanosecondAndHaveNoExponent() throws IOException {
    BenchResult result =
        result(of().ms(0.000001, 0.000001, 0.000002, 86_400_000.000001, 1e-9).calls(1, 5));
    assertThat(json(result))
        .doesNotContainPattern("[0-9][eE][-+0-9]")
        .contains("\"samplesMs\":[0.000001,0.000002,86400000.000001,0]");
  }

  @Test
  void whatIsNotKnownIsNull() throws IOException {
    String line = json(result(of().ms(0, 0))).lines().toList().get(1);
    assertThat(line).contains("\"systemCalls\":null", "\"article\":null");
  }

  @Test
  void aCellWithoutASocketHasNoPeer() throws IOException {
    Cell read = SampleBench.cell(Experiment.READ, "heap", 1, 1);
    String line = json(result(new SampleBench.Of(read))).lines().toList().get(1);
    assertThat(line)
        .contains("\"peerChunk\":null", "\"peerToFile\":null", "\"socketBufferAsked\":null");
    Cell send = SampleBench.cell(Experiment.SEND, "heap", 1, 1);
    assertThat(json(result(new SampleBench.Of(send))))
        .contains("\"peerChunk\":524288,\"peerToFile\":false,\"socketBufferAsked\":0");
  }

  @Test
  void noFigureIsNotANumber() throws IOException {
    // An empty file in no time: every quotient of the report has a zero below it.
    Cell empty = SampleBench.cell(Experiment.READ, "heap", Choice.ADAPTIVE, 0);
    BenchResult result = result(new SampleBench.Of(empty).ms(0, 0, 0).calls(0, 0));
    String text = json(result);
    assertThat(text).doesNotContain("NaN").doesNotContain("Infinity");
  }

  @Test
  void anyNameIsOneLineAndComesBack() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      StringBuilder name = new StringBuilder("<script>");
      for (int i = 0; i < 20; i++) {
        char c = (char) random.nextInt(random.nextBoolean() ? 128 : 0xd7ff);
        name.append(c);
      }
      BenchResult result = SampleBench.hostile(name.toString());
      String text = json(result);
      // Line ends of other kinds than the one between lines stay within theirs.
      assertThat(text.chars().filter(c -> c == '\n')).as("seed %d", seed).hasSize(5);
      assertThat(readBack(text)).as("seed %d", seed).isEqualTo(name.toString());
    }
  }

  private static SampleBench.Of of() {
    return SampleBench.of(Experiment.COPY, "heap", 1 << 20, 1 << 20);
  }

  private static BenchResult result(SampleBench.Of cell) {
    return SampleBench.result(List.of(new BenchResult.Group("copy", "", List.of(cell.measured()))));
  }

  /// The title of the group that the second line names.
  private static String readBack(String text) {
    String line = text.lines().toList().get(1);
    try (JsonParser parser =
        JsonFactory.builder().build().createParser(ObjectReadContext.empty(), line)) {
      while (!"group".equals(parser.currentName())) {
        parser.nextToken();
      }
      parser.nextToken();
      return parser.getString();
    }
  }

  static String json(BenchResult result) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BenchJson.write(result, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}

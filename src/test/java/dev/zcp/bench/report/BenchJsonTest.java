package dev.zcp.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.plan.Cache;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Claim;
import dev.zcp.bench.plan.Experiment;
import dev.zcp.bench.plan.Forcing;
import dev.zcp.bench.plan.Peer;
import dev.zcp.bench.result.BenchResult;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.testing.Golden;
import dev.zcp.testing.SampleBench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchJsonTest {

  @TempDir private Path folder;

  @Test
  void aRunIsALineForItselfALineForEachCellAndAnEnd() throws IOException {
    BenchResult result = SampleBench.result(List.of(SampleBench.article()), "a warning");
    Golden.check("cells.json", json(result));
  }

  @Test
  void whatIsWrittenIsReadBackAsItWas() throws IOException, Failure {
    BenchResult result = SampleBench.result();
    assertThat(readBack(json(result))).isEqualTo(Sheet.of(result));
  }

  @Test
  void everythingThatTellsCellsApartIsReadBack() throws IOException, Failure {
    for (long chunkBytes : new long[] {1, Choice.WHOLE, Choice.ADAPTIVE, Choice.WHOLE - 1}) {
      for (Forcing forcing :
          List.of(Forcing.NEVER, Forcing.AT_THE_END, new Forcing(16 << 10, true))) {
        Cell cell =
            new Cell(
                Experiment.SEND,
                "heap",
                chunkBytes,
                0,
                Cache.COLD,
                forcing,
                new Peer(2_048, true),
                65_536,
                new Claim("C 1", "", Double.NaN, 1 << 20));
        BenchResult result = result(new SampleBench.Of(cell).ms(0.000001, 0).calls(1, 5));
        assertThat(readBack(json(result))).isEqualTo(Sheet.of(result));
        BenchResult forced = result(new SampleBench.Of(cell).forces(forcing, 5, 7).unseenCopies());
        assertThat(json(forced))
            .contains("\"userBytes\":null", "\"forces\":2,\"forceLatencyNs\":{\"p50\":5,");
        assertThat(readBack(json(forced))).isEqualTo(Sheet.of(forced));
      }
    }
  }

  @Test
  void timesLoseNoNanosecondAndHaveNoExponent() throws IOException, Failure {
    BenchResult result =
        result(of().ms(0.000001, 0.000001, 0.000002, 86_400_000.000001, 1e-9).calls(1, 5));
    assertThat(json(result)).doesNotContainPattern("[0-9][eE][-+0-9]");
    assertThat(readBack(json(result)).measured().getFirst().samplesNs())
        .containsExactly(1L, 2L, 86_400_000_000_001L, 0L);
  }

  @Test
  void whatIsNotKnownIsNull() throws IOException {
    String line = json(result(of().ms(0, 0))).lines().toList().get(1);
    assertThat(line).contains("\"systemCalls\":null", "\"article\":null");
  }

  @Test
  void aCellWithoutASocketHasNoPeer() throws IOException {
    Cell read = Cell.of(Experiment.READ, "heap", 1, 1);
    String line = json(result(new SampleBench.Of(read))).lines().toList().get(1);
    assertThat(line)
        .contains("\"peerChunk\":null", "\"peerToFile\":null", "\"socketBufferAsked\":null");
    Cell send = Cell.of(Experiment.SEND, "heap", 1, 1);
    assertThat(json(result(new SampleBench.Of(send))))
        .contains("\"peerChunk\":524288,\"peerToFile\":false,\"socketBufferAsked\":0");
  }

  @Test
  void noFigureIsNotANumber() throws IOException, Failure {
    // An empty file in no time: every quotient of the report has a zero below it.
    Cell empty = Cell.of(Experiment.READ, "heap", Choice.ADAPTIVE, 0);
    BenchResult result = result(new SampleBench.Of(empty).ms(0, 0, 0).calls(0, 0));
    String text = json(result);
    assertThat(text).doesNotContain("NaN").doesNotContain("Infinity");
    assertThat(readBack(text)).isEqualTo(Sheet.of(result));
  }

  @Test
  void anyNameIsOneLineAndComesBack() throws IOException, Failure {
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
      assertThat(readBack(text)).as("seed %d", seed).isEqualTo(Sheet.of(result));
    }
  }

  @Test
  void aComparedCellSaysWhatBecameOfItAndOthersDoNot() throws IOException, Failure {
    BenchResult old = result(of().ms(1, 10, 10, 10, 10));
    BenchResult now = SampleBench.result(List.of(group(of().ms(1, 5, 5, 5, 5)), article()));
    Comparison comparison = Comparison.of(now, new BenchJson.Saved("old", Sheet.of(old)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BenchJson.write(now, comparison, out);
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines.get(1))
        .contains("\"compare\":{\"oldMedianMs\":10,\"ratio\":0.5,\"verdict\":\"faster\"}");
    assertThat(lines.stream().filter(line -> line.contains("\"compare\""))).hasSize(1);
    assertThat(readBack(String.join("\n", lines))).isEqualTo(Sheet.of(now));
  }

  private static SampleBench.Of of() {
    return SampleBench.of(Experiment.COPY, "heap", 1 << 20, 1 << 20);
  }

  private static BenchResult.Group article() {
    return SampleBench.article();
  }

  private static BenchResult.Group group(SampleBench.Of cell) {
    return new BenchResult.Group("copy", "", List.of(cell.measured()));
  }

  private static BenchResult result(SampleBench.Of cell) {
    return SampleBench.result(List.of(group(cell)));
  }

  private Sheet readBack(String text) throws IOException, Failure {
    Path file = folder.resolve("run.json");
    Files.writeString(file, text);
    return BenchJson.read(file).sheet();
  }

  static String json(BenchResult result) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BenchJson.write(result, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}

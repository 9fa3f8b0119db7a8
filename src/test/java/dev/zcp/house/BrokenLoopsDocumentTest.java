package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What bench/BROKEN-LOOPS.md shows is what is run.
class BrokenLoopsDocumentTest {

  private static final Path DOCUMENT = Path.of("bench/BROKEN-LOOPS.md");
  private static final Path TESTS = Path.of("src/test/java/dev/zcp/bench");

  @Test
  void itsLoopsAreThoseThatTheTestRunsLineForLine() throws IOException {
    List<String> run = stripped(Files.readAllLines(TESTS.resolve("BrokenLoops.java")));
    List<String> shown = stripped(Markdown.code(Files.readString(DOCUMENT), "java"));
    assertThat(shown).hasSizeGreaterThan(10);
    assertThat(run).containsAll(shown);
  }

  @Test
  void whatTheBenchmarkSaysOfThemIsWhatTheTestHears() throws IOException {
    String test = Files.readString(TESTS.resolve("BrokenLoopsTest.java"));
    List<String> said = Markdown.code(Files.readString(DOCUMENT), "text");
    assertThat(said).hasSize(4).allSatisfy(line -> assertThat(test).contains('"' + line + '"'));
  }

  private static List<String> stripped(List<String> lines) {
    return lines.stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}

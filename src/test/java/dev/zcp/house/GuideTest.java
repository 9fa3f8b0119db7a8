package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The guide in docs/ names what there is. GuideIT runs its commands.
class GuideTest {

  private static final Path GUIDE = Path.of("docs");
  private static final Path TRANSCRIPTS = Path.of("src/test/resources/transcripts");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  @Test
  void itsIndexHasEachPageAndItsLinksLeadSomewhere() throws IOException {
    String index = Files.readString(GUIDE.resolve("README.md"));
    for (Map.Entry<Path, String> page : pages().entrySet()) {
      Path name = page.getKey().getFileName();
      if (!name.toString().equals("README.md")) {
        assertThat(index).contains("(" + name + ")");
      }
      assertThat(LINK.matcher(page.getValue()).results())
          .allSatisfy(link -> assertThat(GUIDE.resolve(link.group(1))).exists());
    }
  }

  @Test
  void everyBlockIsRunOrSaysWhyNotAndFewAreNot() throws IOException {
    List<Markdown.Block> blocks =
        pages().values().stream().flatMap(page -> Markdown.blocks(page).stream()).toList();
    assertThat(blocks)
        .allSatisfy(
            block ->
                assertThat(block.info()).matches("sh( nas)?( background)?|sh not-run: \\S.+|text"));
    assertThat(blocks).filteredOn(block -> block.info().contains("not-run")).hasSizeLessThan(5);
    assertThat(blocks)
        .filteredOn(block -> block.info().equals("text"))
        .flatExtracting(Markdown.Block::lines)
        .noneMatch(line -> line.contains("zcp "));
    assertThat(blocks).hasSizeGreaterThan(40);
  }

  @Test
  void theOptionsOfItsOtherCommandsAreThoseThatThereAre() throws IOException {
    for (String page : pages().values()) {
      for (String span : Markdown.spans(page)) {
        if (span.matches("zcp (copy|send|receive|bench|config) .*")) {
          String[] words = (span.substring("zcp ".length()) + " --help").split(" +");
          assertThat(Cli.run(words)).as(span).returns(0, Cli.Result::exitCode);
        }
      }
    }
  }

  @Test
  void itsMessagesAreThoseOfTheTranscripts() throws IOException {
    StringBuilder transcripts = new StringBuilder();
    try (Stream<Path> files = Files.list(TRANSCRIPTS)) {
      for (Path file : files.toList()) {
        transcripts.append(Files.readString(file));
      }
    }
    List<List<String>> rows = Markdown.table(troubleshooting(), "message", "cause");
    assertThat(rows).hasSizeGreaterThan(20);
    for (List<String> row : rows) {
      if (!row.getFirst().equals("message") && !row.getFirst().startsWith("---")) {
        assertThat(transcripts).contains(Markdown.spans(row.getFirst()));
      }
    }
  }

  @Test
  void itHasEachExitCode() throws IOException {
    for (ExitCode code : ExitCode.values()) {
      if (code != ExitCode.OK) {
        assertThat(troubleshooting()).contains("\n## " + code.number() + ": ");
      }
    }
  }

  private static String troubleshooting() throws IOException {
    return Files.readString(GUIDE.resolve("troubleshooting.md"));
  }

  private static Map<Path, String> pages() throws IOException {
    Map<Path, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.list(GUIDE)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        pages.put(file, Files.readString(file));
      }
    }
    return pages;
  }
}

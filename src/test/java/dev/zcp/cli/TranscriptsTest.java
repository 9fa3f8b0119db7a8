package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.testing.Transcript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/// The golden transcripts of the command line. `-Dzcp.transcripts=write` rewrites what no longer
/// fits.
class TranscriptsTest {

  private static final String VERSION =
      "> zcp \\d.*\n> commit .*\n> protocol .*\n> processor .*\n> runtime .*\n";

  private static final Path TRANSCRIPTS = Path.of("src/test/resources/transcripts");
  private static final boolean WRITE = "write".equals(System.getProperty("zcp.transcripts"));

  @TempDir Path dir;

  @TestFactory
  List<DynamicTest> theCommandLineAnswersAsWritten() throws IOException {
    try (Stream<Path> files = Files.list(TRANSCRIPTS)) {
      return files
          .filter(file -> file.toString().endsWith(".txt"))
          .sorted()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> replay(file)))
          .toList();
    }
  }

  @Test
  void aTranscriptThatTellsSomethingElseFails() {
    for (String wrong :
        List.of(
            "$ zcp --version\n> zcp 99\n",
            "$ zcp --version\n",
            "$ zcp --version\n" + VERSION + "= 1\n",
            "$ zcp --version\n" + VERSION + "! and a message\n",
            "$ true\n= 1\n")) {
      assertThatThrownBy(() -> new Transcript(dir).check(wrong))
          .as(wrong)
          .isInstanceOf(AssertionFailedError.class);
    }
  }

  @Test
  void rewritingKeepsWhatFitsAndReplacesWhatDoesNot() throws Exception {
    String text =
        "# Why.\n$ zcp --version\n" + VERSION + "\n$ echo $'a' | cat; exit 3\n> b\n# End.\n";
    assertThat(new Transcript(dir).rewritten(text))
        .isEqualTo(
            "# Why.\n"
                + "$ zcp --version\n"
                + VERSION
                + "\n"
                + "$ echo $'a' | cat; exit 3\n"
                + "> $a\n"
                + "= 3\n"
                + "# End.\n");
  }

  @Test
  void quotedArgumentsArriveAsTheirBytes() throws Exception {
    new Transcript(dir)
        .check(
            "$ zcp '--a b' x\n! .*'--a b'.*\n! >> >>\n= 2\n"
                + "$ zcp $'--\\xff\\n'\n! .*'--\\\\xff\\\\n'.*\n! >> >>\n= 2\n");
  }

  private static void replay(Path file) throws IOException, InterruptedException {
    Path dir = Files.createTempDirectory("transcript").toRealPath();
    try {
      String text = Files.readString(file);
      if (WRITE) {
        Files.writeString(file, new Transcript(dir).rewritten(text));
      } else {
        new Transcript(dir).check(text);
      }
    } finally {
      try (Stream<Path> left = Files.walk(dir)) {
        for (Path path : left.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}

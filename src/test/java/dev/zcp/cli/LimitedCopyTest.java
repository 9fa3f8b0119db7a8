package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `--limit-rate` of a copy on one machine. That it waits is seen by the stage of the waits: after
/// what the limit lets go at once, each step has one.
class LimitedCopyTest {

  private static final int BYTES = 1 << 20;
  private static final int FILES = 64;
  private static final String RATE = "--limit-rate=2M";
  private static final String WAITS = "\"pace\":{\"count\":";

  @TempDir Path dir;

  private Path source;
  private Path target;
  private byte[] content;

  @BeforeEach
  void makeAFile() throws IOException {
    source = dir.resolve("source");
    target = dir.resolve("target");
    content = new byte[BYTES];
    new Random(BYTES).nextBytes(content);
    Files.write(source, content);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--chunk-size=whole",
        "--sparse=always",
        "--strategy=mmap",
        "--strategy=heap",
        "--verify=readback"
      })
  void aLargeFileWaits(String option) throws IOException {
    Cli.Result result = copy(source.toString(), option);
    assertThat(waits(result)).isPositive();
    assertThat(target).hasBinaryContent(content);
  }

  @Test
  void smallFilesWaitTogether() throws IOException {
    Path tree = Files.createDirectory(dir.resolve("tree"));
    for (int i = 0; i < FILES; i++) {
      Files.write(tree.resolve("file" + i), new byte[BYTES / FILES]);
    }
    Cli.Result result = copy(tree.toString(), "-r");
    assertThat(waits(result)).isPositive();
    try (Stream<Path> files = Files.list(target)) {
      assertThat(files).hasSize(FILES);
    }
  }

  @Test
  void aFileWithHolesWaitsForItsDataOnly() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      file.setLength(1L << 30);
    }
    assertThat(waits(copy(source.toString(), ""))).isPositive();
    assertThat(Files.size(target)).isEqualTo(1L << 30);
  }

  @Test
  void aStreamWaits() {
    Cli.Result result = Cli.run(content, "copy", "-q", "--json", RATE, "-", target.toString());
    assertThat(waits(result)).isPositive();
    assertThat(target).hasBinaryContent(content);
  }

  @Test
  void syncHasTheLimitToo() {
    Cli.Result result = Cli.run("sync", "-q", "--json", RATE, source.toString(), target.toString());
    assertThat(waits(result)).isPositive();
    assertThat(target).hasBinaryContent(content);
  }

  @Test
  void aLimitThatIsOnlySetIsForANetwork() {
    Cli.Result result =
        Cli.run(
            Map.of("ZCP_LIMIT_RATE", "1K"),
            "copy",
            "-q",
            "--json",
            source.toString(),
            target.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).doesNotContain(WAITS);
  }

  @Test
  void sharedBlocksAreNotLimited() {
    assertThat(Cli.run("copy", "--reflink", RATE, source.toString(), target.toString()).err())
        .contains("--limit-rate is not for --reflink=always");
  }

  private Cli.Result copy(String from, String option) {
    List<String> words =
        Stream.of("copy", "-q", "--json", RATE, option, from, target.toString())
            .filter(word -> !word.isEmpty())
            .toList();
    return Cli.run(words.toArray(String[]::new));
  }

  private static int waits(Cli.Result result) {
    assertThat(result.exitCode()).as(result.err()).isZero();
    int at = result.out().lastIndexOf(WAITS);
    assertThat(at).as(result.out()).isPositive();
    String rest = result.out().substring(at + WAITS.length());
    return Integer.parseInt(rest.substring(0, rest.indexOf(',')));
  }
}

package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `zcp bench --tune` with the strategies that there are.
@Timeout(120)
class TuneCommandTest {

  @TempDir Path dir;

  private Map<String, String> environment;
  private Path from;
  private Path to;

  @BeforeEach
  void makeDirectories() throws IOException {
    from = Files.createDirectory(dir.resolve("from"));
    to = Files.createDirectory(dir.resolve("to"));
    environment =
        Map.of(
            "ZCP_PROFILE", dir.resolve("profile.json").toString(),
            "ZCP_KEY", Key.random().text(),
            "LANG", "C.UTF-8");
  }

  @Test
  void aTuningEndsInATableAndExplainTellsOfIt() throws Exception {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(shm), "needs a file system of its own in /dev/shm");
    Cli.Result tuned = tune(shm.toString(), to.toString());
    assertThat(tuned.exitCode()).as(tuned.err()).isZero();
    assertThat(tuned.out())
        .startsWith("from tmpfs at /dev/shm to ")
        .contains("STRATEGY", "direct", "profile: " + dir.resolve("profile.json"));
    assertThat(tuned.err()).startsWith("zcp: seed ").contains(" ways to try, up to 7 runs of each");
    Path file = Files.createTempFile(shm, "zcp", ".test");
    try {
      Cli.Result explained = Cli.run(environment, "explain", "-v", file.toString(), to.toString());
      // Where its lines are broken hangs on how long the path is.
      assertThat(explained.out().replaceAll("\\s+", " ")).contains("profile.json: measured on 2");
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void aProgramGetsOneObjectAndAPersonTheTable() {
    Cli.Result tuned = tune("--json", from.toString(), to.toString());
    assertThat(tuned.out().lines())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("{\"event\":\"tuned\"");
    assertThat(tuned.err()).contains("STRATEGY");
    Cli.Result quiet = tune("--json", "-q", from.toString(), to.toString());
    assertThat(quiet.out()).startsWith("{\"event\":\"tuned\"");
    assertThat(quiet.err()).isEmpty();
  }

  @Test
  void aReceiverThatDiscardsIsTunedForItsHost() throws Exception {
    try (ZcpProcess receiver = receiver("--discard")) {
      Cli.Result tuned = tune(from.toString(), addressOf(receiver));
      assertThat(tuned.exitCode()).as(tuned.err()).isZero();
      assertThat(tuned.out()).startsWith("to loopback: 8.00 MiB");
    }
    assertThat(names(to)).isEmpty();
    assertThat(names(from)).isEmpty();
    Cli.Result explained = Cli.run(environment, "explain", "-v", "README.md", "localhost:1");
    assertThat(explained.out()).contains("from a file to a socket: to loopback", "measured on 2");
  }

  @Test
  void aReceiverThatKeepsIsRefusedBeforeAnythingIsSent() throws Exception {
    try (ZcpProcess receiver = receiver()) {
      Cli.Result tuned = tune(from.toString(), addressOf(receiver));
      assertThat(tuned.exitCode()).isEqualTo(8);
      assertThat(tuned.err()).contains("the receiver would keep what it gets", "--discard");
    }
    assertThat(names(to)).isEmpty();
    assertThat(names(from)).isEmpty();
    assertThat(dir.resolve("profile.json")).doesNotExist();
  }

  @Test
  void aTuningThatIsToldToEndLeavesNoFileOfItsTrials() throws Exception {
    for (int pauseMs : List.of(0, 150, 400)) {
      try (ZcpProcess zcp =
          ZcpProcess.start(
              dir, environment, "bench", "--tune", "--size=256M", from.toString(), to.toString())) {
        while (names(to).isEmpty()) {
          Thread.sleep(5);
        }
        Thread.sleep(pauseMs);
        zcp.signal("TERM");
        assertThat(zcp.end().exitCode()).isEqualTo(128 + 15);
      }
      assertThat(names(from)).isEmpty();
      assertThat(names(to)).isEmpty();
      assertThat(dir.resolve("profile.json")).doesNotExist();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --tune                            | SOURCE and TARGET are missing
          --tune a                          | TARGET is missing after a
          --tune a b c                      | one operand too many: 'c'
          --tune --cache=cold a b           | --cache is of no use to --tune
          --tune --runs=6 a b               | '6' is not a number from 7 to 1000
          --tune --size=1M,2M a b           | --size: --tune takes one
          """)
  void whatCannotBeMeantIsToldAsSuch(String words, String message) {
    List<String> all = Stream.concat(Stream.of("bench"), Stream.of(words.split(" "))).toList();
    Cli.Result result = Cli.run(environment, all.toArray(String[]::new));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }

  @Test
  void aProfileThatIsADirectoryIsRefusedBeforeAnythingIsMeasured() throws Exception {
    Files.createDirectory(dir.resolve("profile.json"));
    Cli.Result refused = tune(from.toString(), to.toString());
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(refused.err())
        .contains("the profile cannot be written: is not a regular file (nothing was measured;")
        .doesNotContain("seed");
    assertThat(names(from)).isEmpty();
  }

  @Test
  void theSeedIsNotToldWhereNothingIsTried() {
    Cli.Result refused = tune(dir.resolve("missing").toString(), to.toString());
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).doesNotContain("seed");
  }

  @Test
  void withoutAPlaceForAProfileNothingIsTried() {
    Cli.Result result =
        Cli.run(Map.of("ZCP_PROFILE", ""), "bench", "--tune", from.toString(), to.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("there is no place for a profile");
  }

  private Cli.Result tune(String... words) {
    List<String> fixed = List.of("bench", "--tune", "--size=8M", "--runs=7");
    return Cli.run(
        environment, Stream.concat(fixed.stream(), Stream.of(words)).toArray(String[]::new));
  }

  private ZcpProcess receiver(String... options) throws IOException {
    Stream<String> fixed = Stream.of("receive", "--listen=127.0.0.1:0");
    Stream<String> all =
        Stream.concat(Stream.concat(fixed, Stream.of(options)), Stream.of(to.toString()));
    return ZcpProcess.start(dir, environment, all.toArray(String[]::new));
  }

  private static String addressOf(ZcpProcess receiver) throws IOException {
    String url = receiver.line();
    return "localhost" + url.substring(url.lastIndexOf(':'));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}

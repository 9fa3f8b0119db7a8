package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
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
import org.junit.jupiter.params.provider.ValueSource;

/// A process that is told to end ends at once, says nothing, and leaves what was there before.
@Timeout(60)
class SignalsTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  @TempDir Path folder;

  private Path big;
  private Path out;
  private Path old;

  @BeforeEach
  void writeTheOldTarget() throws IOException {
    big = folder.resolve("big");
    Programs.zeros(big, 4L << 30);
    out = Files.createDirectory(folder.resolve("out"));
    old = Files.writeString(out.resolve("big"), "old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "direct", "mmap", "transferTo", "copyFileRange", "splice"})
  void aCopyThatIsToldToEndKeepsTheOldTargetAndWhatTheNextOneGoesOnWith(String strategy)
      throws Exception {
    try (ZcpProcess zcp = copy(strategy)) {
      awaitPartial();
      zcp.signal("TERM");
      String told =
          "zcp: "
              + out
              + ": interrupted (no file is copied; run the same command again; the large file goes"
              + " on where it stopped)\n";
      assertThat(zcp.end()).isEqualTo(new Cli.Result(128 + 15, "", told));
    }
    assertThat(held()).hasSize(2).last().isEqualTo("big");
    assertThat(held().getFirst()).matches("\\.zcp-[0-9a-f]{16}\\.part");
    assertThat(old).hasContent("old");
  }

  /// Nobody can clean up after that; what is left is hidden and says what it is.
  @Test
  void aCopyThatIsKilledKeepsTheOldTarget() throws Exception {
    try (ZcpProcess zcp = copy("direct")) {
      awaitPartial();
      zcp.signal("KILL");
      assertThat(zcp.end().exitCode()).isEqualTo(128 + 9);
    }
    assertThat(held()).hasSize(2).last().isEqualTo("big");
    assertThat(held().getFirst()).matches("\\.zcp-[0-9a-f]{16}\\.part");
    assertThat(old).hasContent("old");
  }

  @Test
  void aReceiverThatIsToldToEndKeepsTheOldFileAndItsSenderIsTold() throws Exception {
    try (ZcpProcess receiver = receiver("--overwrite");
        ZcpProcess sender = sender(receiver.line(), "--stall-timeout=5s")) {
      awaitPartial();
      receiver.signal("TERM");
      assertThat(receiver.end()).isEqualTo(new Cli.Result(128 + 15, "", ""));
      Cli.Result sent = sender.end();
      assertThat(sent.err()).matches("zcp: 127\\.0\\.0\\.1:\\d+: [^\n]*\n");
      assertThat(sent.exitCode()).isEqualTo(5);
    }
    assertThat(named()).containsExactly("big");
    assertThat(old).hasContent("old");
  }

  @Test
  void aSenderThatIsKilledLeavesTheOldFileAtTheReceiver() throws Exception {
    try (ZcpProcess receiver = receiver("--overwrite", "--once", "--stall-timeout=3s")) {
      try (ZcpProcess sender = sender(receiver.line())) {
        awaitPartial();
        sender.signal("KILL");
        sender.end();
      }
      Cli.Result received = receiver.end();
      assertThat(received.exitCode()).as(received.err()).isEqualTo(5);
    }
    assertThat(named()).containsExactly("big");
    assertThat(old).hasContent("old");
  }

  @Test
  void aPeerThatIsStoppedIsGivenUp() throws Exception {
    try (ZcpProcess receiver = receiver("--overwrite", "--stall-timeout=3s");
        ZcpProcess sender = sender(receiver.line(), "--stall-timeout=3s", "--retries=1")) {
      awaitPartial();
      receiver.signal("STOP");
      Cli.Result sent = sender.end();
      receiver.signal("CONT");
      assertThat(sent.err()).contains(": stalled: the receiver made no progress (");
      assertThat(sent.exitCode()).isEqualTo(5);
      receiver.signal("TERM");
      assertThat(receiver.end().exitCode()).isEqualTo(128 + 15);
    }
    assertThat(old).hasContent("old");
  }

  @Test
  void theKeyThatAReceiverLeftGoesWithIt() throws Exception {
    Path run = folder.resolve("run");
    try (ZcpProcess receiver =
        ZcpProcess.start(
            folder,
            Map.of("XDG_RUNTIME_DIR", run.toString()),
            "receive",
            "--listen=127.0.0.1:0",
            out.toString())) {
      receiver.line();
      assertThat(run.resolve("zcp")).isDirectoryContaining("glob:**.key");
      receiver.signal("TERM");
      assertThat(receiver.end()).isEqualTo(new Cli.Result(128 + 15, "", ""));
    }
    assertThat(run.resolve("zcp")).isEmptyDirectory();
  }

  private ZcpProcess copy(String strategy) throws IOException {
    return ZcpProcess.start(
        folder, Map.of(), "copy", "--strategy=" + strategy, big.toString(), out.toString());
  }

  private ZcpProcess receiver(String... options) throws IOException {
    return ZcpProcess.start(
        folder,
        ENVIRONMENT,
        Stream.concat(
                Stream.of("receive", "-q", "--listen=127.0.0.1:0", out.toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  private ZcpProcess sender(String url, String... options) throws IOException {
    return ZcpProcess.start(
        folder,
        ENVIRONMENT,
        Stream.concat(Stream.of("send", "-q", url, big.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  private List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /// What has a final name: a partial file and its journal stay for another time.
  private List<String> named() throws IOException {
    return held().stream().filter(name -> !name.startsWith(".zcp-")).toList();
  }

  private void awaitPartial() throws Exception {
    for (int tries = 0; tries < 3000; tries++) {
      List<String> held = held();
      if (held.size() > 1 && Files.size(out.resolve(held.getFirst())) > 0) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no partial file of some bytes: " + held());
  }
}

package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a sender's digests come from: one copy of the bytes serves the digest and the socket where
/// they pass through memory anyhow, and where the peer would have to copy them otherwise.
@Timeout(120)
class SentDigestTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// More than goes in a part, in several blocks.
  private static final int FILE_BYTES = 9 << 20;

  private static final String BETWEEN = "CRC32C of each block on its way through";
  private static final String BESIDE =
      "CRC32C of each block, read here from the page cache beside the transfer";

  @TempDir Path home;

  private Path file;

  @BeforeEach
  void writeFile() throws Exception {
    byte[] content = new byte[FILE_BYTES];
    new Random(FILE_BYTES).nextBytes(content);
    file = Files.write(home.resolve("file"), content);
  }

  @Test
  void overLoopbackBytesAreDigestedOnTheirWay() throws Exception {
    assertThat(report()).contains(" by direct ").contains(BETWEEN).doesNotContain(BESIDE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "heap", "stream"})
  void soTheyAreByAStrategyThatHasThemInMemory(String strategy) throws Exception {
    assertThat(report("--strategy=" + strategy))
        .contains(" by " + strategy + " ")
        .contains(BETWEEN)
        .doesNotContain(BESIDE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"transferTo", "splice", "mmap"})
  void whatTheKernelMovesIsReadAgainBesideIt(String strategy) throws Exception {
    assertThat(report("--strategy=" + strategy))
        .contains(" by " + strategy + " ")
        .contains(BESIDE)
        .doesNotContain(BETWEEN);
  }

  @Test
  void whatIsNotVerifiedIsTheKernels() throws Exception {
    assertThat(report("--verify=none")).doesNotContain(" by direct ").doesNotContain("CRC32C");
  }

  private String report(String... options) throws Exception {
    Path inbox = Files.createDirectories(home.resolve("inbox"));
    try (ZcpProcess receiver =
        ZcpProcess.start(
            home, ENVIRONMENT, "receive", "--once", "--listen=127.0.0.1:0", inbox.toString())) {
      List<String> arguments = new ArrayList<>(List.of("send"));
      arguments.addAll(List.of(options));
      arguments.addAll(List.of(receiver.line(), file.toString()));
      Cli.Result sent = Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(inbox.resolve("file")).hasSameBinaryContentAs(file);
      return sent.err().replaceAll("\\s+", " ");
    }
  }
}

package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whoever sends slowly since it was told to does not take that for a stall of the other end.
@Timeout(60)
class LimitedRatesTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// What takes more than twice as long at the rate as a peer may take.
  private static final String RATE = "--limit-rate=8K";

  private static final int BYTES = 20 << 10;

  @TempDir Path folder;

  @Test
  void aBatchThatTakesLongerThanAPeerMayIsNoStall() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[BYTES]);
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    try (ZcpProcess receiver =
        ZcpProcess.start(
            folder, ENVIRONMENT, "receive", "--once", "--listen=127.0.0.1:0", inbox.toString())) {
      String url = receiver.line();
      Cli.Result result =
          Cli.run(
              ENVIRONMENT,
              "send",
              "-q",
              "--stall-timeout=1s",
              "--retries=0",
              RATE,
              "127.0.0.1:" + url.substring(url.lastIndexOf(':') + 1),
              file.toString());
      assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(inbox.resolve("file")).hasBinaryContent(new byte[BYTES]);
  }

  /// What is this long would begin with two otherwise, and more of them could only share the rate.
  @Test
  void aLimitedRateGoesOverOneConnection() throws Exception {
    Path file = folder.resolve("long");
    try (RandomAccessFile holes = new RandomAccessFile(file.toFile(), "rw")) {
      holes.setLength(256L << 20);
      holes.write(new byte[4 << 20]);
    }
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    try (ZcpProcess receiver =
        ZcpProcess.start(
            folder, ENVIRONMENT, "receive", "--once", "--listen=127.0.0.1:0", inbox.toString())) {
      String url = receiver.line();
      Cli.Result result =
          Cli.run(ENVIRONMENT, "send", "--json", "--limit-rate=4M", url, file.toString());
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(result.out()).contains("\"connections\":1,");
    }
  }
}

package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LimitedRateTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  @TempDir Path home;

  /// A small file that takes several times as long as its sender has patience.
  @Test
  void aReceiverThatTakesItsTimeIsNotTakenForStalled() throws Exception {
    byte[] content = new byte[128 << 10];
    Path source = Files.write(home.resolve("source"), content);
    Path inbox = Files.createDirectory(home.resolve("inbox"));
    try (ZcpProcess receiver =
        ZcpProcess.start(
            home,
            ENVIRONMENT,
            "receive",
            "-q",
            "--once",
            "--limit-rate=24K",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      Cli.Result sent =
          Cli.run(
              ENVIRONMENT,
              "send",
              "-q",
              "--stall-timeout=1s",
              "--retries=0",
              receiver.line(),
              source.toString());
      assertThat(sent).isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(inbox.resolve("source")).hasBinaryContent(content);
  }
}

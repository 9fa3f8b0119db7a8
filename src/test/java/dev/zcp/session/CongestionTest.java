package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.linux.Congestion;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What both ends tell of the congestion control that was asked for.
@Timeout(120)
class CongestionTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  @TempDir Path home;

  @Test
  void aReceiverRefusesAnUnknownCongestionControlBeforeItListens() throws Exception {
    try (ZcpProcess receiver =
        ZcpProcess.start(
            home, ENVIRONMENT, "receive", "--listen=127.0.0.1:0", "--congestion=nope", ".")) {
      assertThat(receiver.line()).isNull();
      Cli.Result result = receiver.end();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err())
          .contains("--congestion=nope: this kernel has ")
          .contains(String.join(", ", Congestion.available()));
    }
  }

  @Test
  void bothEndsTellTheCongestionControlThatTheKernelTook() throws Exception {
    String name = Congestion.available().getLast();
    Path inbox = Files.createDirectory(home.resolve("inbox"));
    Path file = Files.write(home.resolve("file"), new byte[10]);
    try (ZcpProcess receiver = receive(inbox, "--congestion=" + name)) {
      Cli.Result sent = send(receiver, file, "--congestion=" + name);
      assertThat(sent.out()).as(sent.err()).contains("\"congestion\":\"" + name + "\"");
      assertThat(receiver.end().out()).contains("\"congestion\":\"" + name + "\"");
    }
  }

  private ZcpProcess receive(Path inbox, String... options) throws Exception {
    String[] all = new String[options.length + 5];
    all[0] = "receive";
    all[1] = "--listen=127.0.0.1:0";
    all[2] = "--once";
    all[3] = "--json";
    System.arraycopy(options, 0, all, 4, options.length);
    all[all.length - 1] = inbox.toString();
    return ZcpProcess.start(home, ENVIRONMENT, all);
  }

  private static Cli.Result send(ZcpProcess receiver, Path file, String option) throws Exception {
    return Cli.run(ENVIRONMENT, "send", "--json", option, receiver.address(), file.toString());
  }
}

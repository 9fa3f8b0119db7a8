package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What can be known to fail fails before anybody is bothered with it.
class RefusedEarlyTest {

  @TempDir Path directory;

  @Test
  void aStrategyThatCannotSendIsRefusedBeforeAnythingIsConnected() throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[10]);

    Cli.Result result =
        Cli.run(
            "send", "--strategy=copyFileRange", "127.0.0.1:" + FreePort.find(), file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.STRATEGY.number());
    assertThat(result.err()).contains("copyFileRange").contains("--strategy=");
  }

  @Test
  void aStrategyThatCannotSendWhatHasNoLengthIsRefusedToo() throws IOException {
    Cli.Result result =
        Cli.run("send", "--strategy=transferTo", "127.0.0.1:" + FreePort.find(), "-");

    assertThat(result.exitCode()).isEqualTo(ExitCode.STRATEGY.number());
  }

  @Test
  void aStrategyThatCannotReceiveIsRefusedBeforeAnybodySends() {
    Cli.Result result =
        Cli.run("receive", "--strategy=reflink", "--listen=127.0.0.1:0", directory.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.STRATEGY.number());
    assertThat(result.out()).isEmpty();
  }

  @Test
  void whereNobodyListensThatIsSaidAndNotThatThereIsNoKey() throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[10]);

    Cli.Result result = Cli.run("send", "127.0.0.1:" + FreePort.find(), file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NETWORK.number());
    assertThat(result.err()).contains("nobody listens there");
  }

  /// It looked as if no zcp was there, which is nothing to try again.
  @Test
  void aListenerThatIsKilledDuringTheHandshakeIsNoOtherProgram() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[10]);
    for (boolean isKilled : new boolean[] {true, false}) {
      try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        Thread.ofPlatform().daemon().start(() -> closeAll(server, isKilled));
        String url = "zcp+plain://" + Key.random().text() + "@127.0.0.1:" + server.getLocalPort();
        Cli.Result result = Cli.run("send", "-q", url, file.toString());
        assertThat(result.err()).hasLineCount(1);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(isKilled ? 5 : 8);
      }
    }
  }

  private static void closeAll(ServerSocket server, boolean isKilled) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          socket.getInputStream().readNBytes(72);
          if (isKilled) {
            server.close();
          }
        }
      }
    } catch (IOException e) {
      // The test is over.
    }
  }
}

package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.StrangePeer;
import dev.zcp.testing.ZcpProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `--socket-buffer` asks the kernel for, and what the kernel says that it gave.
@Timeout(120)
class SocketBufferTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// The most that the option takes, so that any limit of the kernel is below it.
  private static final int HUGE = Integer.MAX_VALUE / 2;

  @TempDir Path home;

  private Path inbox;
  private Path file;

  @BeforeEach
  void writeAFile() throws IOException {
    inbox = Files.createDirectory(home.resolve("inbox"));
    file = Files.write(home.resolve("file"), new byte[300_000]);
  }

  @Test
  void bothEndsTellWhatWasAskedForAndThatTheKernelGaveTwiceAsMuch() throws Exception {
    try (ZcpProcess receiver = receive("--once", "--json", "-q", "--socket-buffer=80K")) {
      int port = receiver.port();
      Cli.Result sent = send(port, "--json", "--socket-buffer=48K");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.out())
          .contains(
              "\"socketBuffer\":{\"option\":\"SO_SNDBUF\",\"askedBytes\":49152,"
                  + "\"givenBytes\":98304}");
      assertThat(receiver.end().out())
          .contains(
              "\"socketBuffer\":{\"option\":\"SO_RCVBUF\",\"askedBytes\":81920,"
                  + "\"givenBytes\":163840}");
    }
  }

  @Test
  void aPersonWhoAskedIsTold() throws Exception {
    try (ZcpProcess receiver = receive("--once", "--socket-buffer=80K")) {
      Cli.Result sent = send(receiver.port(), "--socket-buffer=48K", "--progress=never");
      assertThat(sent.err())
          .contains("socket buffer: 48.0 KiB asked, 96.0 KiB given (SO_SNDBUF; Linux doubles it)");
      assertThat(receiver.end().err())
          .contains("socket buffer: 80.0 KiB asked, 160 KiB given (SO_RCVBUF; Linux doubles it)");
    }
  }

  @Test
  void whereNothingIsAskedForTheKernelTunesAndOnlyTheVerboseHearOfIt() throws Exception {
    try (ZcpProcess receiver = receive("--once")) {
      Cli.Result sent = send(receiver.port(), "-v", "--json");
      assertThat(sent.out())
          .containsPattern("\"option\":\"SO_SNDBUF\",\"askedBytes\":null,\"givenBytes\":[1-9]");
      assertThat(sent.err()).contains(" given at first (SO_SNDBUF; the kernel tunes it)\n");
      assertThat(receiver.end().err()).contains("received 1 file").doesNotContain("socket buffer");
    }
  }

  @Test
  void whereTheKernelTakesLessANoteNamesItsLimit() throws Exception {
    long sendMax = limit("wmem_max");
    long receiveMax = limit("rmem_max");
    String huge = "--socket-buffer=" + HUGE;
    try (ZcpProcess receiver = receive("--once", "--json", huge)) {
      int port = receiver.port();
      Cli.Result sent = send(port, "--json", huge);
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.out()).contains("\"givenBytes\":" + 2 * sendMax + "}");
      assertThat(sent.err()).contains("zcp: --socket-buffer: the kernel took ");
      assertThat(sent.err()).contains(" of the 1024 MiB asked for (net.core.wmem_max is its limit");
      Cli.Result taken = receiver.end();
      assertThat(taken.out()).contains("\"givenBytes\":" + 2 * receiveMax + "}");
      assertThat(taken.err()).contains("(net.core.rmem_max is its limit)");
    }
  }

  /// ss(8) asks the kernel itself: `rb` is the receive buffer, `tb` the send buffer.
  @Test
  void theKernelKnowsTheReceiversBufferBeforeTheConnectionIsMade() throws Exception {
    Programs.assume("ss");
    try (ZcpProcess receiver = receive("--socket-buffer=80K")) {
      int port = receiver.port();
      assertThat(ss("-l", port)).contains("rb163840");
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(ss("-o", port)).contains("rb163840");
      }
    }
    try (ZcpProcess receiver = receive()) {
      assertThat(ss("-l", receiver.port())).contains("rb").doesNotContain("rb163840");
    }
  }

  @Test
  void theKernelKnowsTheSendersBuffer() throws Exception {
    Programs.assume("ss");
    AtomicReference<String> seen = new AtomicReference<>("");
    // The sender comes again when its connection is closed, and may be gone by then.
    try (StrangePeer peer =
        new StrangePeer(socket -> seen.compareAndSet("", ss("-o", socket.getPort())))) {
      send(peer.port(), "-q", "--socket-buffer=48K");
      for (int tries = 0; tries < 3000 && seen.get().isEmpty(); tries++) {
        Thread.sleep(20);
      }
      assertThat(seen.get()).as("surprise: %s", peer.surprise()).contains("tb98304");
    }
  }

  /// What ss says of the sockets whose own port is `port`.
  private static String ss(String which, int port) throws IOException {
    return Programs.run("ss", "-H", "-t", "-m", "-n", which, "sport = :" + port);
  }

  /// The kernel's limit, which must be one that [#HUGE] is above.
  private static long limit(String name) throws IOException {
    // Not readString: the first read of a file whose size is said to be 0 is of one byte, and a
    // sysctl has nothing more to give after its first.
    long bytes;
    try (BufferedReader reader = Files.newBufferedReader(Path.of("/proc/sys/net/core", name))) {
      bytes = Long.parseLong(reader.readLine());
    }
    assumeTrue(bytes < HUGE, "net.core." + name + " is as large as the kernel allows");
    return bytes;
  }

  private ZcpProcess receive(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("receive", "--listen=127.0.0.1:0"));
    arguments.addAll(List.of(options));
    arguments.add(inbox.toString());
    return ZcpProcess.start(home, ENVIRONMENT, arguments.toArray(String[]::new));
  }

  private Cli.Result send(int port, String... options) {
    List<String> arguments = new ArrayList<>(List.of("send"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("127.0.0.1:" + port, file.toString()));
    return Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
  }
}

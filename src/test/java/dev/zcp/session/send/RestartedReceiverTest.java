package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.core.RawPath;
import dev.zcp.secure.Key;
import dev.zcp.session.Greeting;
import dev.zcp.session.HelloTerms;
import dev.zcp.session.SharedKey;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.FreePort;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.ZcpProcess;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A receiver that was killed and started again has another key.
@Timeout(120)
class RestartedReceiverTest {

  private static final int FILE_BYTES = 24 << 20;

  @TempDir Path folder;

  @Test
  void whoFindsTheKeyOnThisMachineFindsTheNewOne() throws Exception {
    byte[] content = new byte[FILE_BYTES];
    new Random(FILE_BYTES).nextBytes(content);
    Path file = Files.write(folder.resolve("file"), content);
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    String address = "127.0.0.1:" + FreePort.find();
    try (ZcpProcess first = receiver(address, inbox)) {
      String url = first.line();
      try (ZcpProcess sender =
          start("send", "-q", "--limit-rate=8M", "--retries=50", address, file.toString())) {
        awaitBytes(inbox);
        first.signal("KILL");
        first.end();
        try (ZcpProcess second = receiver(address, inbox)) {
          assertThat(second.line()).isNotEqualTo(url);
          for (Cli.Result ended : new Cli.Result[] {sender.end(), second.end()}) {
            assertThat(ended.exitCode()).as(ended.err()).isZero();
          }
        }
      }
    }
    FileContent.assertHolds(inbox.resolve("file"), content);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKeyThatIsLeftAfterTheConnectionIsTakenIsTheOneThatCounts(boolean isAnyBefore)
      throws Exception {
    RawPath keys = RawPath.of(Files.createDirectories(folder.resolve("run/zcp")));
    Path file = Files.write(folder.resolve("file"), new byte[1]);
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = server.socket().getLocalPort();
      Key now = Key.random();
      if (isAnyBefore) {
        SharedKey.leave(keys, port, Key.random());
      }
      try (ZcpProcess sender = start("send", "-q", "127.0.0.1:" + port, file.toString());
          SocketChannel channel = server.accept();
          Carrier carrier = TestConnection.carrier(channel);
          PeerTimeout timeout = PeerTimeout.watch(carrier)) {
        awaitHello(channel);
        SharedKey.leave(keys, port, now);
        Greeting.Joined joined =
            new Greeting(carrier, Side.RECEIVER, "the sender", timeout, HelloTerms.ofSender(false))
                .asListener(now, (_, _) -> Welcome.ACCEPTED);
        assertThat(joined.receiver().connection()).as(sender.errors()).isZero();
      }
    }
  }

  /// Leaves it where it is.
  private static void awaitHello(SocketChannel channel) throws Exception {
    while (channel.socket().getInputStream().available() == 0) {
      Thread.sleep(1);
    }
  }

  private ZcpProcess receiver(String listen, Path inbox) throws IOException {
    return start("receive", "-q", "--once", "--listen=" + listen, inbox.toString());
  }

  private ZcpProcess start(String... arguments) throws IOException {
    Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", folder.resolve("run").toString());
    return ZcpProcess.start(folder, environment, arguments);
  }

  private static void awaitBytes(Path inbox) throws Exception {
    while (true) {
      try (Stream<Path> files = Files.list(inbox)) {
        for (Path each : (Iterable<Path>) files::iterator) {
          if (Files.size(each) > 0) {
            return;
          }
        }
      }
      Thread.sleep(10);
    }
  }
}

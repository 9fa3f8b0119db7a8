package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sender loses its connection, and whoever listens there afterwards has no room for it: another
/// receiver, or the same one when it has served its one session.
@Timeout(120)
class OtherReceiverIT {

  @TempDir Path folder;

  private BuiltZcp receive(List<String> before, String inbox) throws Exception {
    Path into = Files.createDirectory(folder.resolve(inbox));
    return BuiltZcp.start(
        folder, before, "receive", "--once", "--listen=127.0.0.1:0", into.toString());
  }

  private BuiltZcp send(List<String> before, int port) throws Exception {
    return BuiltZcp.start(
        folder,
        before,
        "send",
        "--compress=never",
        "--limit-rate=256K",
        "zcp+plain://127.0.0.1:" + port,
        folder.resolve("large").toString());
  }

  private void awaitSome(BuiltZcp sender, String inbox) throws Exception {
    sender.await("some", () -> TreeContent.partialBytes(folder.resolve(inbox)) > 0);
  }

  @Test
  void aLostConnectionIsWhatEndsASenderAndNotThatAnotherIsServed() throws Exception {
    Programs.zeros(folder.resolve("large"), 32 << 20);
    String key = Programs.run(BuiltZcp.LAUNCHER.toString(), "key").strip();
    List<String> keyed = List.of("env", "ZCP_KEY=" + key);
    try (BuiltZcp first = receive(keyed, "first");
        BuiltZcp second = receive(keyed, "second");
        BuiltZcp other = send(keyed, second.port());
        TurningWay way = new TurningWay(first.port());
        BuiltZcp sender = send(keyed, way.port())) {
      awaitSome(other, "second");
      awaitSome(sender, "first");
      way.turnTo(second.port());
      BuiltZcp.Ended ended = sender.end();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("the connection was lost");
    }
  }

  /// To one port, and then to another.
  private static final class TurningWay implements Closeable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile int to;

    TurningWay(int to) throws IOException {
      this.to = to;
      Thread.ofPlatform().daemon().start(this::serve);
    }

    int port() {
      return server.getLocalPort();
    }

    void turnTo(int other) throws IOException {
      to = other;
      for (Socket each : sockets) {
        each.close();
      }
    }

    private void serve() {
      try {
        while (true) {
          Socket from = server.accept();
          Socket beyond = new Socket(InetAddress.getLoopbackAddress(), to);
          sockets.addAll(List.of(from, beyond));
          Thread.ofPlatform().daemon().start(() -> pump(from, beyond));
          Thread.ofPlatform().daemon().start(() -> pump(beyond, from));
        }
      } catch (IOException e) {
        // The test is over.
      }
    }

    private static void pump(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException e) {
        // It was cut.
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      turnTo(0);
    }
  }
}

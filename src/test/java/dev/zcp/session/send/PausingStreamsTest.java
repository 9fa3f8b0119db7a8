package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.Puppet;
import dev.zcp.testing.StrangePeer;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Data;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Welcome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The connection is lost while the producer of a stream pauses: what it gave is gone, so that
/// nothing is made good by what it gives afterwards, and nobody waits for that.
@Timeout(30)
class PausingStreamsTest {

  private static final Key KEY = Key.random();
  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", KEY.text());

  private static final int TRIES_MAX = 1000;
  private static final long TRY_MS = 10;

  @TempDir Path folder;

  private final AtomicInteger connections = new AtomicInteger();
  private Path pipe;

  @BeforeEach
  void makeThePipe() throws IOException {
    pipe = Programs.fifo(folder.resolve("pipe"));
  }

  @Test
  void aStreamWhoseConnectionIsLostFailsWhileItsProducerPauses() throws Exception {
    try (RandomAccessFile producer = new RandomAccessFile(pipe.toFile(), "rw");
        StrangePeer peer = new StrangePeer(socket -> serveFirst(socket, true))) {
      producer.write('a');
      Cli.Result result = send(peer, "--retries=0");
      assertThat(result.err())
          .contains(pipe + ": its connection was lost\n")
          .contains("nothing new had arrived; run the same command again")
          .doesNotContain("sends the rest");
      assertThat(result.exitCode()).as(result.err()).isEqualTo(5);
    }
  }

  @Test
  void aPipeThatNobodyOpensHoldsNothingUpEither() throws Exception {
    try (StrangePeer peer = new StrangePeer(socket -> serveFirst(socket, false))) {
      Cli.Result result = send(peer, "--retries=0");
      assertThat(peer.surprise()).isNull();
      assertThat(result.err()).contains(pipe + ": its connection was lost\n");
      assertThat(result.exitCode()).as(result.err()).isEqualTo(5);
    }
  }

  /// What is left in the pipe would arrive as all of it.
  @Test
  void aPipeIsNotBegunAnewWithAReceiverThatForgotTheSession() throws Exception {
    try (RandomAccessFile producer = new RandomAccessFile(pipe.toFile(), "rw");
        StrangePeer peer = new StrangePeer(this::serveThenForget)) {
      producer.write('a');
      Cli.Result result = send(peer, "--retries=3");
      assertThat(result.err()).contains("the receiver knows nothing of this session any more");
      assertThat(result.exitCode()).as(result.err()).isEqualTo(5);
      assertThat(connections).hasValue(2);
    }
  }

  private Cli.Result send(StrangePeer peer, String retries) {
    return Cli.run(
        ENVIRONMENT, "send", "-q", "--stall-timeout=4s", retries, peer.address(), pipe.toString());
  }

  /// @param started whether the producer gives something before the connection is lost
  private void serveFirst(Socket socket, boolean started) throws Exception {
    if (connections.getAndIncrement() == 0) {
      takeTheStream(socket, started);
    }
  }

  private void serveThenForget(Socket socket) throws Exception {
    switch (connections.getAndIncrement()) {
      case 0 -> takeTheStream(socket, true);
      case 1 -> Puppet.receiver(socket, KEY, Welcome.NO_SESSION);
      default -> socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }

  private static void takeTheStream(Socket socket, boolean started) throws Exception {
    try (Puppet puppet = Puppet.receiver(socket, KEY)) {
      puppet.hearUntil(FrameType.MANIFEST);
      puppet.say(TestFrames.accept(Level.WIRE, 0, false, 4, 1 << 20, 16));
      puppet.hearUntil(FrameType.OFFER);
      puppet.say(new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
      if (started) {
        Data head = (Data) puppet.hearUntil(FrameType.DATA);
        puppet.take(Math.toIntExact(head.block().length()));
        puppet.hearUntil(FrameType.TRAILER);
      } else {
        awaitAnOpening();
      }
    }
  }

  /// The sender has got the answer, and waits for somebody to open the pipe.
  private static void awaitAnOpening() throws Exception {
    for (int tries = 0; !isOpening() && tries < TRIES_MAX; tries++) {
      Thread.sleep(TRY_MS);
    }
    assertThat(isOpening()).as("a thread opens the pipe").isTrue();
  }

  private static boolean isOpening() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(frame -> frame.getClassName().equals(ChannelEnd.class.getName()));
  }
}

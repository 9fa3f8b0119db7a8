package dev.zcp.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Span;
import dev.zcp.secure.Key;
import dev.zcp.testing.PairedCarrier;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestRoute;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Side;
import dev.zcp.wire.Trailer;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionTest {

  /// Longer than [PeerTimeout#BEAT_NS], also on a busy machine.
  private static final long PATIENCE_NS = 3_000_000_000L;

  /// A part that takes three times as long as the peer may be silent is not stuck while bytes of it
  /// go by.
  @Test
  void aPartOverASlowWayIsNotTakenForStuck() throws Exception {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel far = pair[1];
        Connection connection = TestConnection.of(pair[0], Side.SENDER, PATIENCE_NS)) {
      pair[0].setOption(StandardSocketOptions.SO_SNDBUF, 32 << 10);
      far.setOption(StandardSocketOptions.SO_RCVBUF, 32 << 10);
      CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> readSlowly(far));
      int bytes = Limits.PART_BYTES_MAX;
      connection.sendRaw(TestFrames.part(bytes), ByteBuffer.allocateDirect(bytes));
      connection.cut();
      assertThat(read.get(30, TimeUnit.SECONDS)).isGreaterThan(bytes);
      assertThat(connection.timeout().ranOut()).isFalse();
    }
  }

  /// As one that waits for a last word that could not be said, for want of memory.
  @Test
  void aPeerThatNeverEndsIsNotDrainedForEver() throws Exception {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel _ = pair[1];
        Connection connection = TestConnection.of(pair[0], Side.RECEIVER, PATIENCE_NS)) {
      connection.drain();
      assertThat(connection.timeout().ranOut()).isTrue();
    }
  }

  private final Key key = Key.random();

  private Connection end(Carrier carrier, Side self) {
    return TestConnection.of(key, carrier, self, PATIENCE_NS);
  }

  @Test
  void manyFramesTakeFewCalls() throws Exception {
    PairedCarrier[] pair = PairedCarrier.pair();
    int frames = 100;
    try (Connection receiver = end(pair[1], Side.RECEIVER);
        Connection sender = end(pair[0], Side.SENDER)) {
      for (int i = 1; i <= frames; i++) {
        receiver.put(TestVerdicts.done(i));
      }
      receiver.flush();
      for (int i = 1; i <= frames; i++) {
        assertThat(sender.receive()).isEqualTo(TestVerdicts.done(i));
      }
    }
    assertThat(pair[1].writes()).isLessThan(frames / 10);
    assertThat(pair[0].reads()).isLessThan(frames / 10);
  }

  @Test
  void whatWasReadAheadOfABlockComesBeforeTheRest() throws Exception {
    PairedCarrier[] pair = PairedCarrier.pair();
    byte[] content = new byte[10_000];
    new Random(content.length).nextBytes(content);
    try (Connection receiver = end(pair[1], Side.RECEIVER);
        Connection sender = end(pair[0], Side.SENDER)) {
      sendBlock(sender, content, 0);
      sendBlock(sender, content, content.length);
      assertThat(receiver.receive()).isEqualTo(new Data(1, new Span(0, content.length)));
      ByteBuffer ahead = receiver.takeAhead(content.length);
      assertThat(ahead.remaining()).isBetween(1, 4096);
      assertThat(withRest(ahead, pair[1], content.length)).isEqualTo(content);
      assertThat(receiver.receive().type()).isEqualTo(FrameType.TRAILER);
      assertThat(receiver.receive().type()).isEqualTo(FrameType.DATA);
      ahead = receiver.takeAhead(content.length);
      assertThat(ahead.remaining()).as("of a block behind another one").isZero();
      assertThat(withRest(ahead, pair[1], content.length)).isEqualTo(content);
    }
  }

  @Test
  void aReceiverThatDidNotSayThatItTakesCompressedBytesRefusesThem() throws Exception {
    Data head = Data.zstd(1, new Span(0, 5));
    for (boolean isTaking : List.of(true, false)) {
      PairedCarrier[] pair = PairedCarrier.pair();
      try (Connection receiver =
              end(pair[1], Side.RECEIVER).toReceiver(isTaking, RoomThere.UNSAID);
          Connection sender = end(pair[0], Side.SENDER)) {
        sender.<RuntimeException>sendBlock(head, () -> {});
        if (isTaking) {
          assertThat(receiver.receive()).isEqualTo(head);
        } else {
          assertThatThrownBy(receiver::receive)
              .isInstanceOf(ProtocolException.class)
              .hasMessage("DATA compressed, which this end does not take");
        }
      }
    }
  }

  private static void sendBlock(Connection sender, byte[] content, long offset) throws Exception {
    Span span = new Span(offset, content.length);
    ByteBuffer bytes = ByteBuffer.wrap(content);
    sender.<RuntimeException>sendBlock(
        new Data(1, span),
        () -> {
          while (bytes.hasRemaining()) {
            sender.sink().write(bytes, 0);
          }
        });
    sender.send(Trailer.ok(1, span, Digest.crc32c(0)));
  }

  private static byte[] withRest(ByteBuffer ahead, Carrier carrier, int bytes) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(bytes).put(ahead);
    while (all.hasRemaining()) {
      carrier.source().read(all, 0);
    }
    return all.array();
  }

  /// As when it reads from a disk that hangs.
  @Test
  void aBeatDoesNotWaitForAWriterThatIsAtSomethingElse() throws Exception {
    PairedCarrier[] pair = PairedCarrier.pair();
    try (Connection receiver = end(pair[1], Side.RECEIVER);
        Connection sender = end(pair[0], Side.SENDER)) {
      receiver.put(TestVerdicts.done(1));
      assertThat(sender.receive()).as("went out by itself").isEqualTo(TestVerdicts.done(1));
      assertThat(sender.receive().type()).isEqualTo(FrameType.BEAT);
    }
  }

  @Test
  void aBlockThatWaitsForItsSourceIsNoStallOfThePeer() throws Exception {
    PairedCarrier[] pair = PairedCarrier.pair();
    try (Connection receiver = end(pair[1], Side.RECEIVER);
        Connection sender = end(pair[0], Side.SENDER)) {
      sender.<InterruptedException>sendBlock(
          new Data(1, new Span(0, 1)), () -> TimeUnit.NANOSECONDS.sleep(2 * PATIENCE_NS));
      assertThat(sender.timeout().ranOut()).isFalse();
      assertThat(receiver.receive().type()).isEqualTo(FrameType.DATA);
    }
  }

  @Test
  void beatsCountWhileThisEndIsAtWork() throws Exception {
    PairedCarrier[] pair = PairedCarrier.pair();
    AtomicBoolean isAtWork = new AtomicBoolean();
    try (Connection receiver = end(pair[1], Side.RECEIVER);
        Connection sender = end(pair[0], Side.SENDER)) {
      sender.timeout().close();
      receiver.timeout().waitForPeer();
      receiver.tellOfWork(isAtWork::get);
      assertThat(countOf(sender)).as("it waits").isZero();
      isAtWork.set(true);
      assertThat(countOf(sender)).as("another thread is at work").isOne();
      isAtWork.set(false);
      receiver.timeout().stopWaiting();
      assertThat(countOf(sender)).as("the thread that reads is at work").isEqualTo(2);
      receiver.timeout().waitForPeer();
      assertThat(countOf(sender)).as("it waits again").isEqualTo(2);
      pair[0].write(ByteBuffer.allocate(1));
      assertThat(countOf(sender)).as("there is something to read").isEqualTo(3);
    }
  }

  private static long countOf(Connection other) throws Exception {
    return ((Beat) other.receive()).count();
  }

  @Test
  void aPeerThatDoesNotReadKeepsNoOtherConnectionFromBeating() throws Exception {
    PairedCarrier[] deaf = PairedCarrier.pair();
    PairedCarrier[] good = PairedCarrier.pair();
    try (Connection stuck = end(deaf[1], Side.RECEIVER);
        Connection well = end(good[1], Side.RECEIVER);
        Connection sender = end(good[0], Side.SENDER)) {
      deaf[1].sink().write(ByteBuffer.allocate(PairedCarrier.PIPE_BYTES), 0);
      for (int beats = 0; beats < 3; beats++) {
        assertThat(sender.receive().type()).isEqualTo(FrameType.BEAT);
      }
      assertThat(stuck.timeout().ranOut()).as("nobody writes there").isFalse();
      assertThatThrownBy(() -> stuck.send(TestVerdicts.done(1))).isInstanceOf(IOException.class);
      assertThat(stuck.timeout().ranOut()).isTrue();
      assertThat(well.timeout().ranOut()).isFalse();
    }
  }

  private static long readSlowly(SocketChannel channel) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64 << 10);
    long all = 0;
    try {
      for (int count = channel.read(bytes); count >= 0; count = channel.read(bytes.clear())) {
        all += count;
        TimeUnit.NANOSECONDS.sleep(3 * PATIENCE_NS * count / Limits.PART_BYTES_MAX);
      }
    } catch (IOException e) {
      // The count shows that not all came.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return all;
  }
}

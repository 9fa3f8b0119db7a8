package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.secure.Key;
import dev.zcp.secure.Randomness;
import dev.zcp.testing.Puppet;
import dev.zcp.testing.TestConnection;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How a connection finds its session, over a real socket.
@Timeout(60)
class GreetingTest {

  private static final Key KEY = Key.random();
  private static final RoomThere ROOM = RoomThere.of(1L << 40, 1_000_000);
  private static final HelloTerms TAKES = new HelloTerms(false, () -> ROOM);

  private final Bytes sessionId = Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES));
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void theReceiverHearsTheSessionAndTheNumberAndBothCanTalk() throws Exception {
    CompletableFuture<Greeting.Joined> joined = receiving(Welcome.ACCEPTED);
    Greeting.Joined receiving = send(0xffff);
    assertThat(receiving.keys()).isNotNull();
    assertThat(joined.get().receiver().sessionId()).isEqualTo(sessionId);
    assertThat(joined.get().receiver().connection()).isEqualTo(0xffff);
    assertThat(receiving.receiver().room()).isEqualTo(ROOM);
  }

  @Test
  void aSessionThatIsGoneIsNoFailureOfTheSender() throws Exception {
    CompletableFuture<Greeting.Joined> joined = receiving(Welcome.NO_SESSION);
    assertThat(send(3)).isNull();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(joined::get)
        .havingRootCause()
        .withMessage("a sender: turned away: its session is over");
  }

  @Test
  void aReceiverThatClosesIsNoneOnlyWhereNoneWasThereBefore() throws Exception {
    assertThat(exitCodeOfClosed(0)).isEqualTo(ExitCode.PROTOCOL);
    assertThat(exitCodeOfClosed(1)).isEqualTo(ExitCode.NETWORK);
  }

  private ExitCode exitCodeOfClosed(int number) throws Exception {
    CompletableFuture<Failure> failure =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                send(number);
                throw new AssertionError("connected");
              } catch (Failure e) {
                return e;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try (SocketChannel accepted = server.accept()) {
      // Read, so that closing it is no reset.
      ByteBuffer hello = ByteBuffer.allocate(Hello.BYTES);
      while (hello.hasRemaining()) {
        accepted.read(hello);
      }
    }
    return failure.get().exitCode();
  }

  @Test
  void aReceiverThatIsFullSaysSo() throws Exception {
    CompletableFuture<Greeting.Joined> joined = receiving(Welcome.BUSY);
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> send(1))
        .withMessage("a receiver: the receiver takes no more connections of this session")
        .matches(failure -> failure.exitCode() == ExitCode.EXISTS);
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(joined::get)
        .havingRootCause()
        .withMessage("a sender: turned away: its session may have no more connections");
  }

  /// As long as a hello, so that all of it was read, it was waited for more until the deadline.
  @Test
  void whoSaysNoHelloIsTurnedAwayAtOnceHoweverLongThatIs() throws Exception {
    CompletableFuture<Greeting.Joined> joined = receiving(Welcome.ACCEPTED);
    try (SocketChannel stranger = SocketChannel.open(server.getLocalAddress())) {
      stranger.write(ByteBuffer.allocate(Hello.BYTES));
      long startedNs = System.nanoTime();
      assertThat(stranger.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(joined::get)
          .havingRootCause()
          .withMessage("the peer speaks something else, not zcp");
      assertThat(System.nanoTime() - startedNs).isLessThan(5_000_000_000L);
    }
  }

  @Test
  void theFirstConnectionIsUsedBeforeTheWelcomeAndARefusalIsHeardBeforeAnyFrame() throws Exception {
    CountDownLatch isUsed = new CountDownLatch(1);
    CompletableFuture<Greeting.Joined> joined =
        CompletableFuture.supplyAsync(
            () ->
                receive(
                    (_, _) -> {
                      await(isUsed);
                      return Welcome.BUSY;
                    }));
    try (Carrier carrier = TestConnection.carrier(SocketChannel.open(server.getLocalAddress()));
        PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      Greeting.Joined greeted =
          new Greeting(carrier, Side.SENDER, "a receiver", timeout, HelloTerms.ofSender(false))
              .asDialler(() -> KEY, sessionId, 0);
      Connection connection =
          new Connection(carrier, timeout, Side.SENDER, greeted.keys(), 60_000_000_000L)
              .expectWelcome();
      connection.send(new Beat(0));
      isUsed.countDown();
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(connection::receive)
          .withMessage("the receiver serves another sender")
          .matches(refusal -> refusal.exitCode() == ExitCode.EXISTS);
    }
    assertThatExceptionOfType(ExecutionException.class).isThrownBy(joined::get);
  }

  /// A write to a socket that the other end has closed is a reset: the sender would tell of that.
  @Test
  void aRefusalIsReadEvenIfFramesComeAfterIt() throws Exception {
    CompletableFuture<Greeting.Joined> joined = receiving(Welcome.BUSY);
    try (Carrier carrier = TestConnection.carrier(SocketChannel.open(server.getLocalAddress()));
        PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      Greeting.Joined greeted =
          new Greeting(carrier, Side.SENDER, "a receiver", timeout, HelloTerms.ofSender(false))
              .asDialler(() -> KEY, sessionId, 0);
      Connection connection =
          new Connection(carrier, timeout, Side.SENDER, greeted.keys(), 60_000_000_000L)
              .expectWelcome();
      for (int frame = 0; frame < 5; frame++) {
        connection.send(new Beat(frame));
        Thread.sleep(50);
      }
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(connection::receive)
          .withMessage("the receiver serves another sender");
    }
    assertThatExceptionOfType(ExecutionException.class).isThrownBy(joined::get);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whoHasAnotherKeyIsNotAskedFor() throws Exception {
    CompletableFuture<Greeting.Joined> joined =
        CompletableFuture.supplyAsync(
            () ->
                receive(
                    (id, number) -> {
                      throw new AssertionError("asked for " + id + ", " + number);
                    }));
    assertThatExceptionOfType(Puppet.TurnedAway.class)
        .isThrownBy(() -> Puppet.sender(port(), Key.random()).close())
        .matches(refusal -> refusal.status() == Welcome.BAD_KEY);
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(joined::get)
        .havingRootCause()
        .withMessage("a sender: the sender has another key");
  }

  @Test
  void aSecondConnectionHasKeysOfItsOwn() throws Exception {
    CompletableFuture<Greeting.Joined> first = receiving(Welcome.ACCEPTED);
    try (Puppet puppet = Puppet.sender(port(), KEY, sessionId, 0)) {
      first.get();
      CompletableFuture<Greeting.Joined> second = receiving(Welcome.ACCEPTED);
      try (Puppet other = Puppet.sender(port(), KEY, puppet.sessionId(), 1)) {
        assertThat(second.get().receiver().sessionId())
            .isEqualTo(first.get().receiver().sessionId());
        assertThat(second.get().receiver().connection()).isEqualTo(1);
        assertThat(other.sessionId()).isEqualTo(sessionId);
        assertThat(seal(second.get())).isNotEqualTo(seal(first.get()));
      }
    }
  }

  /// Of an empty frame of the sender's.
  private static byte[] seal(Greeting.Joined joined) {
    ByteBuffer mac = ByteBuffer.allocate(Limits.MAC_BYTES);
    joined.keys().others().sign(0, ByteBuffer.allocate(0), mac);
    return mac.array();
  }

  @Test
  void aPeerThatFallsSilentIsGivenUpAfterTheTimeThatItHas() throws Exception {
    try (Carrier carrier = TestConnection.carrier(SocketChannel.open(server.getLocalAddress()));
        PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      Greeting greeting =
          new Greeting(
              carrier, Side.SENDER, "a receiver", timeout, HelloTerms.ofSender(false), 200_000_000);
      assertThatThrownBy(() -> greeting.asDialler(() -> KEY, sessionId, 1))
          .hasMessage("a receiver: the peer said nothing that zcp would say within 200 ms");
    }
  }

  private int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  private Greeting.Joined send(int connection) throws IOException, Failure {
    try (Carrier carrier = TestConnection.carrier(SocketChannel.open(server.getLocalAddress()));
        PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      return new Greeting(carrier, Side.SENDER, "a receiver", timeout, HelloTerms.ofSender(false))
          .asDialler(() -> KEY, sessionId, connection);
    }
  }

  private CompletableFuture<Greeting.Joined> receiving(Welcome status) {
    return CompletableFuture.supplyAsync(() -> receive((id, number) -> status));
  }

  private Greeting.Joined receive(Greeting.Decision decision) {
    try (Carrier carrier = TestConnection.carrier(server.accept());
        PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      return new Greeting(carrier, Side.RECEIVER, "a sender", timeout, TAKES)
          .asListener(KEY, decision);
    } catch (IOException | Failure e) {
      throw new IllegalStateException(e);
    }
  }
}

package dev.zcp.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.Libc;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What would hang without a deadline ends the test by its timeout.
@Timeout(60)
class PeerTimeoutTest {

  private static final long SOON_NS = 200_000_000;
  private static final long LATE_NS = 60_000_000_000L;

  private SocketChannel near;
  private SocketChannel far;
  private PeerTimeout timeout;

  @BeforeEach
  void connect() throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    near = pair[0];
    far = pair[1];
    timeout = PeerTimeout.watch(TestConnection.carrier(near));
  }

  @AfterEach
  void close() throws IOException {
    timeout.close();
    near.close();
    far.close();
  }

  @Test
  void aReadThatWaitsInVainIsEndedByTheDeadline() throws IOException {
    timeout.hurry(SOON_NS);
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(timeout.ranOut()).isTrue();
  }

  @Test
  void aReadThatWaitsInVainIsEndedByThePeersStall() throws IOException {
    timeout.settle(SOON_NS, () -> {});
    timeout.waitForPeer();
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(timeout.ranOut()).isTrue();
  }

  /// As of an end whose disk hangs.
  @Test
  void bytesThatWereNotReadYetAreNoStallOfThePeer() throws IOException {
    timeout.settle(SOON_NS, () -> {});
    timeout.waitForPeer();
    assertThat(far.write(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(1);
    sleepMs(3 * SOON_NS / 1_000_000);
    assertThat(timeout.ranOut()).isFalse();
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(1);
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(timeout.ranOut()).isTrue();
  }

  @Test
  void aPeerThatSaysMoreAndMoreIsStillHurried() throws IOException {
    timeout.hurry(SOON_NS);
    assertThat(far.write(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(1);
    while (!timeout.ranOut()) {
      sleepMs(5);
    }
  }

  @Test
  void aWriteThatNobodyReadsIsEnded() {
    timeout.settle(SOON_NS, () -> {});
    timeout.beginWriting();
    assertThat(writeUntilItFails()).isInstanceOf(IOException.class);
    assertThat(timeout.ranOut()).isTrue();
  }

  @Test
  void aSystemCallThatJavaDoesNotKnowOfIsEnded() {
    int[] pipe = new int[2];
    assertThat(Libc.pipe(pipe)).isZero();
    try {
      int socket = ChannelEnd.socket(near).descriptor();
      timeout.hurry(SOON_NS);
      long result = Libc.splice(socket, Libc.NO_OFFSET, pipe[1], Libc.NO_OFFSET, 1 << 20, 0);
      assertThat(result).as("the end of the stream").isZero();
      assertThat(timeout.ranOut()).isTrue();
    } finally {
      Libc.close(pipe[0]);
      Libc.close(pipe[1]);
    }
  }

  @Test
  void hasteIsNotSlowedByWhateverMoves() throws Exception {
    timeout.hurry(SOON_NS * 2);
    CompletableFuture<Void> busy =
        CompletableFuture.runAsync(
            () -> {
              while (!timeout.ranOut()) {
                timeout.progress();
                timeout.waitForPeer();
                timeout.stopWaiting();
                sleepMs(5);
              }
            });
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    busy.get(30, TimeUnit.SECONDS);
    assertThat(timeout.ranOut()).isTrue();
  }

  @Test
  void whileThePeerMakesProgressThereIsNoAlarm() throws IOException {
    long limitNs = 3_000_000_000L;
    timeout.settle(limitNs, () -> {});
    timeout.waitForPeer();
    long endNs = System.nanoTime() + limitNs + limitNs / 2;
    while (System.nanoTime() < endNs) {
      timeout.progress();
      sleepMs(10);
    }
    requireAlive();
  }

  @Test
  void whoIsNotWaitedForMayTakeItsTime() throws IOException {
    timeout.hurry(SOON_NS);
    timeout.settle(SOON_NS, () -> {});
    sleepMs(3 * SOON_NS / 1_000_000);
    requireAlive();

    timeout.waitForPeer();
    timeout.stopWaiting();
    sleepMs(3 * SOON_NS / 1_000_000);
    requireAlive();
  }

  @Test
  void onceItIsSettledItBeatsUntilItIsClosed() throws Exception {
    Semaphore beats = new Semaphore(0);
    timeout.settle(LATE_NS, beats::release);
    await(beats, 2);
    timeout.close();
    // A beat that had begun may end meanwhile: before the first one of the other, as they take
    // turns.
    Semaphore othersBeats = new Semaphore(0);
    try (PeerTimeout other = PeerTimeout.watch(TestConnection.carrier(near))) {
      other.settle(LATE_NS, othersBeats::release);
      await(othersBeats, 1);
      beats.drainPermits();
      await(othersBeats, 2);
    }
    assertThat(beats.availablePermits()).isZero();
  }

  private static void await(Semaphore beats, int count) throws InterruptedException {
    assertThat(beats.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void afterItWasClosedNothingIsEnded() throws IOException {
    timeout.hurry(SOON_NS);
    timeout.close();
    sleepMs(3 * SOON_NS / 1_000_000);
    requireAlive();
  }

  @Test
  void aPeerThatEndsTheConnectionIsNoStall() throws IOException {
    timeout.settle(LATE_NS, () -> {});
    timeout.waitForPeer();
    far.close();
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    assertThat(timeout.ranOut()).isFalse();
  }

  private void requireAlive() throws IOException {
    assertThat(timeout.ranOut()).isFalse();
    assertThat(far.write(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(1);
    assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(1);
    assertThat(near.write(ByteBuffer.wrap(new byte[] {2}))).isEqualTo(1);
    assertThat(far.read(ByteBuffer.allocate(1))).isEqualTo(1);
  }

  private IOException writeUntilItFails() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20);
    try {
      while (near.isOpen()) {
        near.write(bytes.clear());
      }
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private static void sleepMs(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

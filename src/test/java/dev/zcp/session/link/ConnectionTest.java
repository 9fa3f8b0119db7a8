package dev.zcp.session.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Nonce;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Piece;
import dev.zcp.wire.Side;
import dev.zcp.wire.Status;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionTest {

  private static final long PATIENCE_NS = 1_000_000_000;

  /// A batch that takes three times as long as the peer may be silent is not stuck while bytes of
  /// it go by.
  @Test
  void aBatchOverASlowWayIsNotTakenForStuck() throws Exception {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel far = pair[1];
        Connection connection = sender(pair[0])) {
      pair[0].setOption(StandardSocketOptions.SO_SNDBUF, 32 << 10);
      far.setOption(StandardSocketOptions.SO_RCVBUF, 32 << 10);
      CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> readSlowly(far));
      int bytes = Limits.BATCH_BYTES_MAX;
      Batch batch = new Batch(List.of(new Piece(0, bytes, 0, Status.OK)));
      connection.sendBatch(batch, ByteBuffer.allocateDirect(bytes));
      connection.cut();
      assertThat(read.get(30, TimeUnit.SECONDS)).isGreaterThan(bytes);
      assertThat(connection.pulse().ranOut()).isFalse();
    }
  }

  private static Connection sender(SocketChannel channel) {
    Octets id = Octets.of(Nonce.random(Hello.SESSION_ID_BYTES));
    byte[] mine = Hello.ofSender(id, 0, Octets.of(Nonce.random())).encode();
    Handshake handshake = new Handshake(Key.random(), mine, mine);
    return new Connection(
        channel, new Pulse(channel), Side.SENDER, handshake.sessionKeys(), PATIENCE_NS);
  }

  private static long readSlowly(SocketChannel channel) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64 << 10);
    long all = 0;
    try {
      for (int count = channel.read(bytes); count >= 0; count = channel.read(bytes.clear())) {
        all += count;
        TimeUnit.NANOSECONDS.sleep(3 * PATIENCE_NS * count / Limits.BATCH_BYTES_MAX);
      }
    } catch (IOException e) {
      // The count shows that not all came.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return all;
  }
}

package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.Connection;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Side;
import dev.zcp.wire.Timings;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutboxTest {

  private static final int MORE_THAN_MAY_WAIT = 1000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  /// The session has no end of its own here, so whoever asks it what to say is a defect.
  @Test
  void aDefectLetsNobodyWaitForWhatIsNotSaid() throws Exception {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel far = pair[1];
        Connection connection = TestConnection.of(pair[0], Side.RECEIVER, PATIENCE_NS)) {
      CompletableFuture<Throwable> told = new CompletableFuture<>();
      Outbox broken = new Outbox(0, null, connection, () -> Timings.NONE, told::complete);
      for (int i = 0; i < MORE_THAN_MAY_WAIT; i++) {
        broken.speak();
      }
      broken.start();
      broken.awaitRoom();
      // Whatever beats there are, this returns only at the end.
      Channels.newInputStream(far).readAllBytes();
      assertThat(connection.timeout().ranOut()).isFalse();
      broken.close();
      assertThat(told.get()).isInstanceOf(NullPointerException.class);
    }
  }
}

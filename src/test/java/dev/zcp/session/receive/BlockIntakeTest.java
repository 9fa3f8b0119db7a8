package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Span;
import dev.zcp.exchange.Task;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Nonce;
import dev.zcp.session.link.Connection;
import dev.zcp.session.link.Pulse;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Side;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockIntakeTest {

  private static final long PATIENCE_NS = 1_000_000_000;
  private static final long MORE_THAN_PATIENCE_MS = 2_500;
  private static final int BYTES = 100;

  /// What this end does next takes its own time.
  @Test
  void onceABlockThatNobodyWantsIsOffTheSocketTheSenderIsNotWaitedFor() throws Exception {
    SocketChannel[] pair = TestRoute.sockets();
    try (Hands hands = new Hands(1, Hands::thread);
        Connection connection = connection(pair[0]);
        SocketChannel far = pair[1]) {
      ReceivingSession session = ChoresTest.session(hands);
      try (BlockIntake intake = new BlockIntake(session, new Voice(0, session.end(), connection))) {
        far.write(ByteBuffer.allocate(BYTES));
        intake.take(new Task.TakeBlock(1, new Span(0, BYTES), false));
        Thread.sleep(MORE_THAN_PATIENCE_MS);
        assertThat(connection.pulse().ranOut()).isFalse();
      }
    }
  }

  private static Connection connection(SocketChannel channel) throws Exception {
    Octets id = Octets.of(Nonce.random(Hello.SESSION_ID_BYTES));
    byte[] hello = Hello.ofSender(id, 0, Octets.of(Nonce.random())).encode();
    Handshake handshake = new Handshake(Key.random(), hello, hello);
    return new Connection(
        channel, new Pulse(channel), Side.RECEIVER, handshake.sessionKeys(), PATIENCE_NS);
  }
}

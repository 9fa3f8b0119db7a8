package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Span;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Data;
import dev.zcp.wire.Side;
import dev.zcp.wire.Timings;
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
    try (ReceivingWorkers workers = new ReceivingWorkers(1, ReceivingWorkers::thread);
        Connection connection = TestConnection.of(pair[0], Side.RECEIVER, PATIENCE_NS);
        SocketChannel far = pair[1]) {
      ReceivingSession session = ConnectionTasksTest.session(workers);
      try (BlockIntake intake =
          new BlockIntake(
              session,
              new Outbox(0, session.end(), connection, () -> Timings.NONE, _ -> {}),
              new CompressedInput(session, connection))) {
        far.write(ByteBuffer.allocate(BYTES));
        intake.take(new ReceiverAction.TakeBlock(new Data(1, new Span(0, BYTES)), false));
        Thread.sleep(MORE_THAN_PATIENCE_MS);
        assertThat(connection.timeout().ranOut()).isFalse();
      }
    }
  }
}

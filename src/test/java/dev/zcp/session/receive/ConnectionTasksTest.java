package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.exchange.ReceiverAction;
import dev.zcp.wire.Timings;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A connection that is lost while no worker is free.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTasksTest {

  private static final ReceiverAction.Publish NOTHING = new ReceiverAction.Publish(1, List.of());

  /// They may wait for this very session to give way.
  @Test
  void whatNoHandHasBegunNeedsNoneOnceTheConnectionIsLost() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (ReceivingWorkers workers = new ReceivingWorkers(1, ReceivingWorkers::thread)) {
      workers.take(() -> ReceivingWorkersTest.await(open));
      ConnectionTasks tasks = tasks(workers);
      tasks.publish(NOTHING);
      tasks.close();
      open.countDown();
    }
  }

  @Test
  void whereThereIsNoHandAtAllTheConnectionStillEnds() throws Exception {
    try (ReceivingWorkers workers =
        new ReceivingWorkers(1, _ -> ReceivingWorkersTest.unstartable())) {
      ConnectionTasks tasks = tasks(workers);
      assertThatThrownBy(() -> tasks.publish(NOTHING)).isInstanceOf(OutOfMemoryError.class);
      tasks.close();
    }
  }

  private static ConnectionTasks tasks(ReceivingWorkers workers) throws Exception {
    ReceivingSession session = session(workers);
    return new ConnectionTasks(
        session, new Outbox(0, session.end(), null, () -> Timings.NONE, _ -> {}), null);
  }

  /// One that a first connection has joined and nothing was said in.
  static ReceivingSession session(ReceivingWorkers workers) throws Exception {
    ReceivingSession session =
        new ReceivingSession(TestMeans.of(workers), "a sender", 1, (_, _) -> {});
    session.connections().join(0);
    return session;
  }
}

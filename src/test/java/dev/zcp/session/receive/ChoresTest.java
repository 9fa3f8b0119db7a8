package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.exchange.Task;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A connection that is lost while the hands are not to be had.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChoresTest {

  private static final Task.Publish NOTHING = new Task.Publish(1, List.of());

  /// They may wait for this very session to give way.
  @Test
  void whatNoHandHasBegunNeedsNoneOnceTheConnectionIsLost() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (Hands hands = new Hands(1, Hands::thread)) {
      hands.take(() -> HandsTest.await(open));
      Chores chores = chores(hands);
      chores.publish(NOTHING);
      chores.close();
      open.countDown();
    }
  }

  @Test
  void whereThereIsNoHandAtAllTheConnectionStillEnds() throws Exception {
    try (Hands hands = new Hands(1, _ -> HandsTest.unstartable())) {
      Chores chores = chores(hands);
      assertThatThrownBy(() -> chores.publish(NOTHING)).isInstanceOf(OutOfMemoryError.class);
      chores.close();
    }
  }

  private static Chores chores(Hands hands) throws Exception {
    ReceivingSession session = session(hands);
    return new Chores(session, new Outbox(0, session.end(), null, _ -> {}));
  }

  /// One that a first connection has joined and nothing was said in.
  static ReceivingSession session(Hands hands) throws Exception {
    ReceivingSession session =
        new ReceivingSession(TestMeans.of(hands), "a sender", 1, (_, _) -> {});
    session.connections().join(0);
    return session;
  }
}

package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.exchange.SendingEnd;
import dev.zcp.exchange.Turn;
import dev.zcp.insight.Insight;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SendingSessionTest {

  private static final long PATIENCE_NS = 600_000_000_000L;
  private static final long BLOCK_BYTES = 100;

  private final Manifest manifest = new Manifest(1, 7, 7, Level.WIRE, 0);
  private final SendingSession session =
      new SendingSession(
          new SendingEnd(manifest, -1, 1),
          new Insight("send", "auto", event -> {}),
          OnChange.FAIL,
          new HeldComparison(ResumeVerify.ALL),
          "peer",
          Level.WIRE);

  @Test
  void aTotalThatIsToldLateTakesNothingBack() {
    assertThat(session.acknowledged(100)).isEqualTo(100);
    assertThat(session.acknowledged(60)).isZero();
    assertThat(session.progress()).isEqualTo(100);
    assertThat(session.acknowledged(130)).isEqualTo(30);
  }

  /// In a thread of its own, which is given up where it never ends.
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoIsInterruptedWaitsForNothingMore() {
    session.up(0);
    assertThat(next()).isEqualTo(new Turn.Say(manifest));
    Thread.currentThread().interrupt();
    assertThat(next()).isInstanceOf(Turn.Leave.class);
    assertThat(session.isRunning()).isFalse();
    session.await(() -> false, PATIENCE_NS);
    assertThat(Thread.interrupted()).isTrue();
  }

  private Turn next() {
    return session.turn(0, BLOCK_BYTES, () -> false);
  }
}

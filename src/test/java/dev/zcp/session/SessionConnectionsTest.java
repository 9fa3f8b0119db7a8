package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.SessionConnections.Admittance;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionConnectionsTest {

  private static final long LONG_NS = TimeUnit.HOURS.toNanos(1);
  private static final Failure LOSS = Failure.of(ExitCode.NETWORK, "peer", "gone");

  private final SessionConnections<Integer> connections = new SessionConnections<>(2);

  @Test
  void aNumberIsNeverUsedAgain() {
    connections.down(join(0), LOSS);
    assertThat(connections.join(0)).isEqualTo(Admittance.UNWANTED);
    assertThat(connections.join(1)).isEqualTo(Admittance.WELCOME);
  }

  @Test
  void thoseWhoAreStillComingCountAmongTheConnections() {
    assertThat(connections.join(0)).isEqualTo(Admittance.WELCOME);
    assertThat(connections.join(65535)).isEqualTo(Admittance.WELCOME);
    assertThat(connections.join(2)).isEqualTo(Admittance.FULL);
    connections.missed();
    assertThat(connections.join(2)).as("one did not come").isEqualTo(Admittance.WELCOME);
  }

  @Test
  void theLastOneOutIsTold() {
    join(0);
    join(1);
    assertThat(connections.enter()).isTrue();
    assertThat(connections.leave()).isFalse();
    assertThat(connections.leave()).isFalse();
    assertThat(connections.leave()).isTrue();
  }

  @Test
  void nobodyComesInOnceItIsOver() {
    assertThat(connections.join(0)).isEqualTo(Admittance.WELCOME);
    assertThat(connections.end(LOSS)).isTrue();
    assertThat(connections.end(null)).as("again").isFalse();
    assertThat(connections.ending()).isSameAs(LOSS);
    assertThat(connections.up(0)).isZero();
    assertThat(connections.open()).isEmpty();
    assertThat(connections.enter()).isFalse();
    assertThat(connections.join(1)).isEqualTo(Admittance.UNWANTED);
  }

  @Test
  void whoWaitsForAReturnSeesIt() throws InterruptedException {
    connections.down(join(0), LOSS);
    Thread waiting = waiting();
    join(1);
    waiting.join();
    assertThat(connections.isOver()).isFalse();
  }

  @Test
  void whoWaitsInVainEndsTheSessionBeforeAnybodyElseComes() throws InterruptedException {
    SessionConnections<Integer> impatient = new SessionConnections<>(1);
    assertThat(impatient.join(0)).isEqualTo(Admittance.WELCOME);
    impatient.up(0);
    impatient.down(0, LOSS);
    impatient.awaitReturn(1);
    assertThat(impatient.join(1)).isEqualTo(Admittance.UNWANTED);
    assertThat(impatient.ending()).isSameAs(LOSS);
  }

  @Test
  void whoWaitsIsFreedWhereTheSessionEnds() throws InterruptedException {
    connections.down(join(0), LOSS);
    Thread waiting = waiting();
    assertThat(connections.endIfOrphaned(0)).isTrue();
    waiting.join();
    assertThat(connections.ending()).isSameAs(LOSS);
  }

  @Test
  void onlyASessionWithoutConnectionsGivesWay() {
    assertThat(connections.endIfOrphaned(0)).as("not begun").isFalse();
    int first = join(0);
    assertThat(connections.endIfOrphaned(0)).as("live").isFalse();
    connections.join(1);
    connections.down(first, LOSS);
    assertThat(connections.endIfOrphaned(0)).as("one is coming").isFalse();
    connections.missed();
    assertThat(connections.endIfOrphaned(Long.MAX_VALUE)).as("too early").isFalse();
    assertThat(connections.endIfOrphaned(0)).isTrue();
    assertThat(connections.isOver()).isTrue();
    assertThat(connections.ending()).isSameAs(LOSS);
  }

  private Thread waiting() {
    Thread thread =
        new Thread(
            () -> {
              try {
                connections.awaitReturn(LONG_NS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private int join(int number) {
    assertThat(connections.join(number)).isEqualTo(Admittance.WELCOME);
    assertThat(connections.up(number)).isPositive();
    return number;
  }
}

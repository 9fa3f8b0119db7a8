package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.receive.Attendance.Admittance;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AttendanceTest {

  private static final long LONG_NS = TimeUnit.HOURS.toNanos(1);
  private static final Failure LOSS = Failure.of(ExitCode.NETWORK, "peer", "gone");

  private final Attendance attendance = new Attendance(2);

  @Test
  void aNumberIsNeverUsedAgain() {
    Outbox outbox = join(0);
    attendance.down(outbox, LOSS);
    assertThat(attendance.join(0)).isEqualTo(Admittance.UNWANTED);
    assertThat(attendance.join(1)).isEqualTo(Admittance.WELCOME);
  }

  @Test
  void thoseWhoAreStillComingCountAmongTheConnections() {
    assertThat(attendance.join(0)).isEqualTo(Admittance.WELCOME);
    assertThat(attendance.join(65535)).isEqualTo(Admittance.WELCOME);
    assertThat(attendance.join(2)).isEqualTo(Admittance.FULL);
    attendance.missed();
    assertThat(attendance.join(2)).as("one did not come").isEqualTo(Admittance.WELCOME);
  }

  @Test
  void theLastOneOutIsTold() {
    join(0);
    join(1);
    assertThat(attendance.enter()).isTrue();
    assertThat(attendance.leave()).isFalse();
    assertThat(attendance.leave()).isFalse();
    assertThat(attendance.leave()).isTrue();
  }

  @Test
  void nobodyComesInOnceItIsOver() {
    assertThat(attendance.join(0)).isEqualTo(Admittance.WELCOME);
    assertThat(attendance.end(LOSS)).isTrue();
    assertThat(attendance.end(null)).as("again").isFalse();
    assertThat(attendance.ending()).isSameAs(LOSS);
    assertThat(attendance.up(outbox(0))).isZero();
    assertThat(attendance.outboxes()).isEmpty();
    assertThat(attendance.enter()).isFalse();
    assertThat(attendance.join(1)).isEqualTo(Admittance.UNWANTED);
  }

  @Test
  void whoWaitsForAReturnSeesIt() throws InterruptedException {
    attendance.down(join(0), LOSS);
    Thread waiting = waiting();
    join(1);
    waiting.join();
    assertThat(attendance.isOver()).isFalse();
  }

  @Test
  void whoWaitsInVainEndsTheSessionBeforeAnybodyElseComes() throws InterruptedException {
    Attendance impatient = new Attendance(1);
    assertThat(impatient.join(0)).isEqualTo(Admittance.WELCOME);
    Outbox outbox = outbox(0);
    impatient.up(outbox);
    impatient.down(outbox, LOSS);
    impatient.awaitReturn(1);
    assertThat(impatient.join(1)).isEqualTo(Admittance.UNWANTED);
    assertThat(impatient.ending()).isSameAs(LOSS);
  }

  @Test
  void whoWaitsIsFreedWhereTheSessionEnds() throws InterruptedException {
    attendance.down(join(0), LOSS);
    Thread waiting = waiting();
    assertThat(attendance.endIfOrphaned()).isTrue();
    waiting.join();
    assertThat(attendance.ending()).isSameAs(LOSS);
  }

  @Test
  void onlyASessionWithoutConnectionsGivesWay() {
    assertThat(attendance.endIfOrphaned()).as("not begun").isFalse();
    Outbox outbox = join(0);
    assertThat(attendance.endIfOrphaned()).as("live").isFalse();
    attendance.join(1);
    attendance.down(outbox, LOSS);
    assertThat(attendance.endIfOrphaned()).as("one is coming").isFalse();
    attendance.missed();
    assertThat(attendance.endIfOrphaned()).isTrue();
    assertThat(attendance.isOver()).isTrue();
    assertThat(attendance.ending()).isSameAs(LOSS);
  }

  private Thread waiting() {
    Thread thread =
        new Thread(
            () -> {
              try {
                attendance.awaitReturn(LONG_NS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private Outbox join(int number) {
    assertThat(attendance.join(number)).isEqualTo(Admittance.WELCOME);
    Outbox outbox = outbox(number);
    assertThat(attendance.up(outbox)).isPositive();
    return outbox;
  }

  private static Outbox outbox(int number) {
    return new Outbox(number, null, null);
  }
}

package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.exchange.Heard;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.session.Sending;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LinesTest {

  private static final long PATIENCE_NS = 60_000_000_000L;

  /// The last one that the wire has.
  private static final int NUMBER_MAX = 0xffff;

  private final SendingEnd end = new SendingEnd(-1, 1).begin(new Manifest(1, 1, 1, Level.READBACK, 0));

  /// What was told while the session's monitor was free, and while it was not.
  private final List<String> told = new CopyOnWriteArrayList<>();

  private final List<String> toldUnderTheMonitor = new CopyOnWriteArrayList<>();
  private final Insight insight = new Insight("send", "auto", this::hear);
  private final SendingSession session = TestSession.of(end, insight, Level.READBACK);

  private SocketChannel near;
  private SocketChannel far;

  @BeforeEach
  void connect() throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    near = pair[0];
    far = pair[1];
  }

  @AfterEach
  void close() throws IOException {
    near.close();
    far.close();
  }

  private void hear(Event event) {
    if (event instanceof Event.Noted noted) {
      (Thread.holdsLock(end) ? toldUnderTheMonitor : told).add(noted.message());
    }
  }

  /// Lines that cannot dial: whoever tries is a defect.
  private Lines lines() {
    return new Lines(
        session, null, null, null, new RateLimit(0), Sending.USUAL, insight, "peer", 1);
  }

  private Dialling.Reached reached() throws IOException {
    Connection connection = TestConnection.of(near, Side.SENDER, PATIENCE_NS);
    return new Dialling.Reached(connection, false, null);
  }

  @Test
  void aDefectOfWhoeverOpensConnectionsEndsTheSession() throws Exception {
    lines().start(reached(), 0);
    far.close();
    assertThatThrownBy(session::finish)
        .isInstanceOf(Failure.class)
        .extracting(failure -> ((Failure) failure).exitCode())
        .isEqualTo(ExitCode.INTERNAL);
  }

  @Test
  void aSessionThatHasHadAllItsConnectionsSaysSo() throws Exception {
    lines().start(reached(), NUMBER_MAX);
    far.close();
    assertThatThrownBy(session::finish)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.NETWORK))
        .hasMessageContaining("all the 65536 connections")
        .hasMessageContaining("the same command again sends the rest");
    assertThat(session.isForgotten()).isFalse();
  }

  @Test
  void aConnectionThatIsThereOnlyAfterTheEndIsClosed() throws IOException {
    session.fail(Failure.of(ExitCode.NETWORK, "peer", "is gone"));
    lines().start(reached(), 0);
    assertThat(near.isOpen()).isFalse();
  }

  /// A terminal that is stopped takes nothing, and whoever tells it something waits.
  @Test
  void thatAConnectionIsLostIsToldWithoutTheSessionsMonitor() throws Exception {
    lines().start(reached(), 0);
    far.close();
    assertThatThrownBy(session::finish).isInstanceOf(Failure.class);
    assertThat(toldUnderTheMonitor).isEmpty();
    assertThat(told).singleElement().asString().contains("a connection is lost");
  }

  @Test
  void thatLessIsProvedIsToldWithoutTheSessionsMonitor() {
    session.ofTheWhole(new Heard.Accepted(new Accept(Level.WIRE, 0, true, 1, 1 << 20, 16)));
    assertThat(toldUnderTheMonitor).isEmpty();
    assertThat(told)
        .containsExactly(
            "peer: verifies to wire, not readback: what it receives goes to a stream and cannot be"
                + " read again");
  }
}

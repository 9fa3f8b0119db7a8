package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.Dialler;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.exchange.SenderEvent;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.secure.Key;
import dev.zcp.session.Dialling;
import dev.zcp.session.Flow;
import dev.zcp.session.HelloTerms;
import dev.zcp.session.KeySource;
import dev.zcp.session.Opener;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.session.Peering;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SenderConnectionTest {

  private static final Event.Link LINK =
      new Event.Link("peer", false, "", new Event.Link.SocketBuffer("SO_SNDBUF", 0, 1, "wmem_max"));

  private static final long PATIENCE_NS = 60_000_000_000L;

  private final SendingEnd end =
      new SendingEnd().begin(TestFrames.manifest(1, 1, 1, Level.READBACK, 0));

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

  /// Has the session served over one connection, and others opened for it, once it is lost, by a
  /// dialler that nobody answers.
  ///
  /// @param dialler null for one that is a defect
  private void serve(Dialler dialler, int retries) throws Exception {
    Connection connection = TestConnection.of(near, Side.SENDER, PATIENCE_NS);
    Peering peering =
        new Peering(
            new Dial(Address.parse("127.0.0.1:1"), 1, retries),
            new KeySource(null, Key.random().text(), null),
            Address.Scheme.PLAIN,
            Flow.of(PATIENCE_NS, PATIENCE_NS));
    Dialling dialling = new Dialling(Side.SENDER, peering, dialler, HelloTerms.ofSender(false));
    Dialling.Reached reached = new Dialling.Reached(connection, LINK);
    Bytes sessionId = Bytes.of(new byte[Hello.SESSION_ID_BYTES]);
    Opener.start(session, new Dialling.First(sessionId, reached), dialling, false);
  }

  /// A dialler that does this.
  private static Dialler dialler(Callable<Carrier> dial) {
    return new Dialler() {

      @Override
      public Carrier dial() throws Failure {
        try {
          return dial.call();
        } catch (Failure | RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public InetAddress host() {
        return InetAddress.getLoopbackAddress();
      }

      @Override
      public boolean isLocal() {
        return true;
      }
    };
  }

  private static Dialler nobody() {
    return dialler(
        () -> {
          throw Failure.of(ExitCode.NETWORK, "peer", "nobody listens there");
        });
  }

  @Test
  void aDefectOfWhoeverOpensConnectionsEndsTheSession() throws Exception {
    serve(
        dialler(
            () -> {
              throw new IllegalStateException("a defect");
            }),
        5);
    far.close();
    assertThatThrownBy(session::finish)
        .isInstanceOf(Failure.class)
        .extracting(failure -> ((Failure) failure).exitCode())
        .isEqualTo(ExitCode.INTERNAL);
  }

  @Test
  void ifNobodyAnswersAnyMoreTheSessionEndsByTheFirstReason() throws Exception {
    serve(nobody(), 2);
    far.close();
    assertThatThrownBy(session::finish)
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.exitCode()).as(failure.toString()).isEqualTo(ExitCode.NETWORK))
        // Whether the other end had read all decides which of the two it is: tcp(7).
        .hasMessageFindingMatch(
            "closed the connection before it had confirmed everything|connection reset")
        .hasMessageContaining("run the same command again");
    assertThat(session.isForgotten()).isFalse();
  }

  @Test
  void aConnectionThatIsThereOnlyAfterTheEndIsClosed() throws Exception {
    session.fail(Failure.of(ExitCode.NETWORK, "peer", "is gone"));
    Connection connection = TestConnection.of(near, Side.SENDER, PATIENCE_NS);
    assertThat(session.serve(0, connection, LINK)).isNull();
    assertThat(near.isOpen()).isFalse();
  }

  /// A terminal that is stopped takes nothing, and whoever tells it something waits.
  @Test
  void thatAConnectionIsLostIsToldWithoutTheSessionsMonitor() throws Exception {
    serve(nobody(), 1);
    far.close();
    assertThatThrownBy(session::finish).isInstanceOf(Failure.class);
    assertThat(toldUnderTheMonitor).isEmpty();
    assertThat(told).singleElement().asString().contains("a connection is lost");
  }

  @Test
  void thatLessIsProvedIsToldWithoutTheSessionsMonitor() {
    session.ofTheWhole(
        new SenderEvent.Accepted(TestFrames.accept(Level.WIRE, 0, true, 1, 1 << 20, 16)));
    assertThat(toldUnderTheMonitor).isEmpty();
    assertThat(told)
        .containsExactly(
            "peer: verifies to wire, not readback: what it receives goes to a stream and cannot be"
                + " read again");
  }
}

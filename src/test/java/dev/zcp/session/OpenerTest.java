package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.secure.Key;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenerTest {

  private static final long LONG_NS = 60_000_000_000L;

  /// The last one that the wire has.
  private static final int NUMBER_MAX = 0xffff;

  private final IdleSession session = new IdleSession();

  @Test
  void aSessionThatHasHadAllItsConnectionsSaysSo() throws Failure {
    Peering peering =
        new Peering(
            Dial.usual(Address.parse("127.0.0.1:1")),
            new KeySource(null, Key.random().text(), null),
            Address.Scheme.UNSAID,
            Flow.of(LONG_NS, LONG_NS));
    Dialling dialling = new Dialling(Side.SENDER, peering, null, HelloTerms.ofSender(false));
    Bytes sessionId = Bytes.of(new byte[Hello.SESSION_ID_BYTES]);
    Dialling.First last = new Dialling.First(sessionId, new Dialling.Reached(null, null));
    Opener.start(session, last, NUMBER_MAX, dialling, false);
    session.connections().await(session.connections()::isOver, LONG_NS);
    Failure ending = session.connections().ending();
    assertThat(ending)
        .hasMessageContaining("all the 65536 connections")
        .hasMessageContaining("nothing is kept");
    assertThat(ending.exitCode()).isEqualTo(ExitCode.NETWORK);
  }
}

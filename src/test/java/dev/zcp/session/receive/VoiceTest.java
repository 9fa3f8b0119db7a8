package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.session.link.Connection;
import dev.zcp.session.link.Pulse;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Side;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VoiceTest {

  private static final int MORE_THAN_MAY_WAIT = 1000;
  private static final long PATIENCE_NS = 60_000_000_000L;

  /// The session has no end of its own here, so whoever asks it what to say is a defect.
  @Test
  void aDefectLetsNobodyWaitForWhatIsNotSaid() throws Exception {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel far = pair[1];
        Connection connection = receiver(pair[0])) {
      Voice broken = new Voice(0, null, connection);
      for (int i = 0; i < MORE_THAN_MAY_WAIT; i++) {
        assertThatThrownBy(broken::speak).isInstanceOf(NullPointerException.class);
      }
      broken.awaitRoom();
      // Whatever beats there are, this returns only at the end.
      Channels.newInputStream(far).readAllBytes();
      assertThat(connection.pulse().ranOut()).isFalse();
    }
  }

  private static Connection receiver(SocketChannel channel) {
    Handshake handshake = new Handshake(Key.random(), new byte[Hello.BYTES], new byte[Hello.BYTES]);
    return new Connection(
        channel, new Pulse(channel), Side.RECEIVER, handshake.sessionKeys(), PATIENCE_NS);
  }
}

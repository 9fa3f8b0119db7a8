package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.wire.Hello;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Welcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionsTest {

  private static final Octets ID = Octets.of(new byte[Hello.SESSION_ID_BYTES]);

  @Test
  void onlyAConnectionToASessionThatIsOverIsLate() throws Exception {
    try (Hands hands = new Hands()) {
      Sessions sessions = new Sessions(TestMeans.of(hands), true, () -> {});

      Sessions.Admitted stranger = sessions.admit(ID, 1, "a sender");
      assertThat(stranger.status()).isEqualTo(Welcome.NO_SESSION);
      assertThat(stranger.isLate()).isFalse();

      ReceivingSession session = sessions.admit(ID, 0, "a sender").session();
      assertThat(sessions.admit(ID, 0, "a sender").isLate()).as("a number used twice").isFalse();
      session.attendance().end(null);
      Sessions.Admitted late = sessions.admit(ID, 1, "a sender");
      assertThat(late.status()).isEqualTo(Welcome.NO_SESSION);
      assertThat(late.isLate()).isTrue();
    }
  }
}

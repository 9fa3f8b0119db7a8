package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Welcome;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionsTest {

  @Test
  void onlyAConnectionToASessionThatIsOverIsLate() {
    Sessions sessions = new Sessions((_, _) -> new IdleSession(), true, true);

    Sessions.Admitted stranger = sessions.admit(id(0), 1, null);
    assertThat(stranger.status()).isEqualTo(Welcome.NO_SESSION);
    assertThat(stranger.isLate()).isFalse();

    PeerSession session = sessions.admit(id(0), 0, null).session();
    assertThat(sessions.admit(id(0), 0, null).isLate()).as("a number used twice").isFalse();
    session.connections().end(null);
    Sessions.Admitted late = sessions.admit(id(0), 1, null);
    assertThat(late.status()).isEqualTo(Welcome.NO_SESSION);
    assertThat(late.isLate()).isTrue();
  }

  @Test
  void aSessionThatIsIdleMakesRoomAndOneThatIsNotDoesNot() {
    Sessions sessions = new Sessions((_, _) -> new IdleSession(), false, true);
    for (int i = 0; i < Sessions.SESSIONS_MAX; i++) {
      assertThat(sessions.admit(id(i), 0, null).status()).isEqualTo(Welcome.ACCEPTED);
    }
    assertThat(sessions.admit(id(100), 0, null).status()).isEqualTo(Welcome.BUSY);
    ((IdleSession) sessions.admit(id(3), 1, null).session()).idle(TimeUnit.HOURS.toNanos(1));
    assertThat(sessions.admit(id(101), 0, null).status()).isEqualTo(Welcome.ACCEPTED);
    assertThat(sessions.admit(id(3), 2, null).isLate()).isTrue();
  }

  /// Three descriptors each, and 256 of them: 14 senders with eight connections each left the
  /// others without descriptors for their files.
  @Test
  void ifManyConnectionsAreThereASessionThatHasOneGetsNoOther() {
    Sessions sessions = new Sessions((_, _) -> new IdleSession(), false, true, 48);
    PeerSession first = sessions.admit(id(0), 0, null).session();
    for (int i = 1; i < 4; i++) {
      assertThat(sessions.admit(id(0), i, null).status()).isEqualTo(Welcome.ACCEPTED);
    }
    assertThat(sessions.admit(id(0), 4, null).status()).isEqualTo(Welcome.BUSY);
    PeerSession second = sessions.admit(id(1), 0, null).session();
    assertThat(sessions.admit(id(1), 1, null).status()).isEqualTo(Welcome.BUSY);

    // What has lost all its connections comes back in any case.
    second.connections().missed();
    assertThat(sessions.admit(id(1), 2, null).status()).isEqualTo(Welcome.ACCEPTED);
    first.connections().missed();
    first.connections().missed();
    assertThat(sessions.admit(id(0), 5, null).status()).isEqualTo(Welcome.ACCEPTED);
    assertThat(sessions.admit(id(0), 6, null).status()).isEqualTo(Welcome.BUSY);
  }

  private static Bytes id(int number) {
    byte[] bytes = new byte[Hello.SESSION_ID_BYTES];
    bytes[0] = (byte) number;
    return Bytes.of(bytes);
  }
}

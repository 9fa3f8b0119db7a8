package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.session.Address;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.link.RateLimit;
import dev.zcp.testing.IdleStrategy;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Welcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionsTest {

  private static final Octets ID = Octets.of(new byte[Hello.SESSION_ID_BYTES]);

  @Test
  void onlyAConnectionToASessionThatIsOverIsLate() throws Exception {
    ReceiveRequest request =
        new ReceiveRequest(
            Address.parse("127.0.0.1:1"),
            RawPath.of("."),
            true,
            Choice.DEFAULT,
            null,
            false,
            Admission.USUAL,
            Flow.of(1, 1));
    Engine engine = new Engine(Strategies.of(List.of(new IdleStrategy())), Choice.DEFAULT);
    try (Hands hands = new Hands()) {
      Means means =
          new Means(
              request, engine, _ -> null, hands, new BatchBuffers(), new RateLimit(0), _ -> {});
      Sessions sessions = new Sessions(means, true, () -> {});

      Sessions.Admitted stranger = sessions.admit(ID, 1, "a sender");
      assertThat(stranger.status()).isEqualTo(Welcome.Status.NO_SESSION);
      assertThat(stranger.isLate()).isFalse();

      ReceivingSession session = sessions.admit(ID, 0, "a sender").session();
      assertThat(sessions.admit(ID, 0, "a sender").isLate()).as("a number used twice").isFalse();
      session.attendance().end(null);
      Sessions.Admitted late = sessions.admit(ID, 1, "a sender");
      assertThat(late.status()).isEqualTo(Welcome.Status.NO_SESSION);
      assertThat(late.isLate()).isTrue();
    }
  }
}

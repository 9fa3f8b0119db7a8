package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Cli;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Offer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A receiver whose heap is too small for what one session may offer.
@Timeout(120)
class LittleMemoryTest {

  private static final String[] TINY = {"-Xmx18m", "-XX:+UseSerialGC"};

  @TempDir Path home;

  @Test
  void aSessionForWhichThereIsNoMemoryEndsInOneLineAndTheReceiverGoesOn() throws Exception {
    Path good = Files.write(home.resolve("good"), new byte[100_000]);
    try (Reception inbox = Reception.open(home.resolve("inbox"), TINY, "-q")) {
      int before = inbox.said();
      int port;
      try (StrangeSender greedy = StrangeSender.begin(inbox)) {
        port = greedy.puppet().socket().getLocalPort();
        offerAllThatMayBe(greedy);
      }
      inbox.awaitSaid(before, "zcp: 127.0.0.1:" + port + ": internal error: out of memory\n");
      assertThat(inbox.receiver().errors().substring(before).lines()).hasSize(1);
      assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
      inbox.awaitHeld("good");
    }
  }

  /// Until the receiver says that it gives up, or hangs up.
  private static void offerAllThatMayBe(StrangeSender sender) throws Exception {
    try {
      for (Offer offer : StrangeSender.mostOffers()) {
        sender.puppet().say(offer);
      }
      Frame heard = sender.puppet().hear();
      while (!(heard instanceof Done)) {
        heard = sender.puppet().hear();
      }
      assertThat(((Done) heard).exitCode()).isEqualTo(ExitCode.PROTOCOL);
    } catch (IOException e) {
      // The end of the connection.
    }
  }
}

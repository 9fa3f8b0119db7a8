package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.session.Sessions;
import dev.zcp.testing.Cli;
import dev.zcp.wire.Beat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// As many sessions as a receiver takes, each with the key.
@Timeout(300)
class ManySessionsTest {

  private static final String[] SMALL = {"-Xmx512m", "-XX:+UseSerialGC"};

  @TempDir Path home;

  /// Five of them once filled a heap of 512 MB, and no signal was heard any more.
  @Test
  void sessionsThatOfferAllTheyMayLeaveRoomForAGoodSenderAndForASignal() throws Exception {
    Path good = Files.write(home.resolve("good"), new byte[100_000]);
    List<StrangeSender> senders = new ArrayList<>();
    try (Reception inbox = Reception.open(home.resolve("inbox"), SMALL, "--stall-timeout=60s")) {
      for (int i = 0; i < Sessions.SESSIONS_MAX - 1; i++) {
        StrangeSender sender = StrangeSender.begin(inbox);
        senders.add(sender);
        sender.offerMost();
      }
      assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
      long startedNs = System.nanoTime();
      inbox.receiver().signal("TERM");
      Cli.Result result = inbox.receiver().end();
      assertThat(System.nanoTime() - startedNs).isLessThan(20_000_000_000L);
      assertThat(result.exitCode()).isEqualTo(128 + 15);
      assertThat(result.err()).doesNotContain("OutOfMemory").doesNotContain("internal error");
    } finally {
      for (StrangeSender each : senders) {
        each.close();
      }
    }
  }

  @Test
  void sessionsThatDoNothingGiveWayToANewSender() throws Exception {
    Path good = Files.write(home.resolve("good"), new byte[100_000]);
    List<StrangeSender> idle = new ArrayList<>();
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--stall-timeout=60s")) {
      long begunNs = System.nanoTime();
      for (int i = 0; i < Sessions.SESSIONS_MAX; i++) {
        idle.add(StrangeSender.begin(inbox));
      }
      int early = inbox.send(good).exitCode();
      // Later than that the first of them was idle already.
      if (System.nanoTime() - begunNs < 5_000_000_000L) {
        assertThat(early).isEqualTo(9);
      }
      for (int i = 0; i < 6; i++) {
        Thread.sleep(1_000);
        beat(idle);
      }
      assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
      inbox.awaitSaid(0, "was idle, and made room for another sender");
    } finally {
      for (StrangeSender each : idle) {
        each.close();
      }
    }
  }

  private static void beat(List<StrangeSender> senders) throws IOException {
    for (StrangeSender each : senders) {
      each.puppet().say(new Beat(0));
    }
  }
}

package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.session.Sessions;
import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The built receiver with as many sessions as it takes, each of which uses all that it may.
@Timeout(300)
class CrowdedReceiverIT {

  private static final int GOOD_BYTES = 100 << 20;
  private static final long RESIDENT_KIB_MAX = 400 << 10;
  private static final int TRIES_MAX = 3000;
  private static final long TRY_MS = 20;

  @TempDir Path home;

  @Test
  void aGoodSenderGetsThroughAndEverythingRecovers() throws Exception {
    byte[] content = new byte[GOOD_BYTES];
    new Random(GOOD_BYTES).nextBytes(content);
    Path good = Files.write(home.resolve("good"), content);
    Path later = Files.write(home.resolve("later"), content);
    try (Reception inbox =
        Reception.openBuilt(home.resolve("inbox"), "--accept=all", "--stall-timeout=30s")) {
      Path process = Path.of("/proc", Long.toString(inbox.receiver().pid()));
      assertThat(inbox.send(Files.write(home.resolve("first"), new byte[1])).exitCode()).isZero();
      long descriptors = descriptors(process);
      List<StrangeSender> greedy = crowd(inbox);
      try {
        assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
        assertThat(Files.mismatch(good, inbox.directory().resolve("good"))).isEqualTo(-1);
      } finally {
        for (StrangeSender each : greedy) {
          each.close();
        }
      }
      assertThat(inbox.send(later)).isEqualTo(new Cli.Result(0, "", ""));
      // None of those has had to wait for the end of one before.
      for (StrangeSender each : crowd(inbox)) {
        each.giveUp(ExitCode.SOURCE, "");
        each.close();
      }
      await(() -> descriptors(process) <= descriptors);
      assertThat(residentKib(process)).isLessThan(RESIDENT_KIB_MAX);
      inbox.receiver().signal("TERM");
      assertThat(inbox.receiver().end().err()).doesNotContain("internal error");
    }
  }

  /// One session is left for a good sender.
  private static List<StrangeSender> crowd(Reception inbox) throws Exception {
    List<StrangeSender> all = new ArrayList<>();
    for (int i = 0; i < Sessions.SESSIONS_MAX - 1; i++) {
      StrangeSender sender = StrangeSender.begin(inbox);
      all.add(sender);
      sender.offerMost();
    }
    return all;
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    for (int tries = 0; tries < TRIES_MAX && !condition.holds(); tries++) {
      Thread.sleep(TRY_MS);
    }
    assertThat(condition.holds()).isTrue();
  }

  /// Without the jar, which is opened at the first class that the AOT cache does not hold.
  private static long descriptors(Path process) throws IOException {
    try (Stream<Path> all = Files.list(process.resolve("fd"))) {
      return all.filter(each -> !leadsTo(each, "zcp.jar")).count();
    }
  }

  private static boolean leadsTo(Path descriptor, String name) {
    try {
      return Files.readSymbolicLink(descriptor).endsWith(name);
    } catch (IOException _) {
      // Closed since it was listed.
      return false;
    }
  }

  /// The most that it ever had: proc(5).
  private static long residentKib(Path process) throws IOException {
    for (String line : Files.readAllLines(process.resolve("status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmHWM");
  }
}

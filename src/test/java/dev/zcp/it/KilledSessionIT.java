package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A session of which either end is killed by SIGKILL at random moments: a final name is absent or
/// complete, the same command then completes the tree, and sends no file again that had arrived.
class KilledSessionIT {

  private static final int KILLS = 100;

  /// So that a session lasts some three tenths of a second.
  private static final String RATE = "--limit-rate=30M";

  private static final Pattern RESUMED = Pattern.compile("\"bytesResumed\":([0-9]+)");

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  @TempDir Path folder;

  private final long seed = Long.getLong("zcp.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private SessionTree tree;
  private TreeContent whole;
  private BuiltZcp receiver;
  private int port;
  private long spanNs;

  private int killed;
  private int missed;
  private int inTheMiddle;
  private int resumed;

  @BeforeEach
  void begin() throws Exception {
    System.out.println("KilledSessionIT: seed " + seed);
    tree = SessionTree.grow(folder.toRealPath(), random);
    whole = TreeContent.of(tree.source());
    port = FreePort.find();
    listen();
  }

  @AfterEach
  void end() {
    receiver.close();
  }

  @Test
  void whicheverEndIsKilledTheSameCommandGoesOn() throws Exception {
    measure();
    while (!isEnough()) {
      tree.clear();
      killTheSender();
      if (random.nextBoolean()) {
        killTheReceiverOfOneThatWaits();
      } else {
        killTheReceiver();
      }
      assertThat(missed).as("sessions that ended before the kill").isLessThan(3 * KILLS);
      assertThat(killed)
          .as("seed %d: %d unfinished, %d resumed, of killed", seed, inTheMiddle, resumed)
          .isLessThan(5 * KILLS);
    }
    System.out.printf(
        "KilledSessionIT: %d killed, %d not in time, %d unfinished, %d resumed%n",
        killed, missed, inTheMiddle, resumed);
  }

  /// Were all sessions whole or not begun, nothing would have been tried. How many are in the
  /// middle is chance: the test goes on until there are enough.
  private boolean isEnough() {
    return killed >= KILLS && inTheMiddle > KILLS / 4 && resumed > KILLS / 8;
  }

  private void measure() throws Exception {
    try (BuiltZcp sender = send(RATE)) {
      awaitConnection(sender);
      long begunNs = System.nanoTime();
      assertSucceeds(sender);
      spanNs = System.nanoTime() - begunNs;
    }
    tree.arrived().assertSameAs(whole);
  }

  private void killTheSender() throws Exception {
    try (BuiltZcp sender = send(RATE)) {
      awaitAMoment(sender);
      sender.signalIfAlive("KILL");
      count(sender.end().exitCode() == 137);
    }
  }

  /// The same command as before: it goes on with what is there, loses its receiver, and goes on
  /// with the next one by itself.
  private void killTheReceiverOfOneThatWaits() throws Exception {
    try (BuiltZcp sender = send(RATE, "--retries=50")) {
      awaitAMoment(sender);
      killAndCheck(sender.isAlive());
      listen();
      assertSucceeds(sender);
    }
    tree.arrived().assertSameAs(whole);
  }

  private void killTheReceiver() throws Exception {
    try (BuiltZcp sender = send(RATE, "--retries=0")) {
      awaitAMoment(sender);
      killAndCheck(sender.isAlive());
      BuiltZcp.Ended ended = sender.end();
      assertThat(ended.exitCode()).as(ended.err()).isIn(0, 5);
      assertThat(ended.err()).matches("(zcp: [^\n]*\n)?");
    }
    listen();
    complete();
  }

  private void killAndCheck(boolean inTime) throws Exception {
    receiver.signal("KILL");
    assertThat(receiver.end().exitCode()).isEqualTo(137);
    count(inTime);
  }

  private void count(boolean inTime) throws Exception {
    killed += inTime ? 1 : 0;
    missed += inTime ? 0 : 1;
    TreeContent found = tree.arrived();
    found.assertEachIsWholeIn(whole);
    boolean unfinished = found.entries().size() < whole.entries().size();
    inTheMiddle += unfinished && found.entries().size() > 1 ? 1 : 0;
  }

  /// What has arrived, or is told of in a journal, does not come again.
  private void complete() throws Exception {
    long arrivedBytes = tree.arrivedBytes();
    boolean isToldOf = isAnythingToldOf();
    try (BuiltZcp sender = send()) {
      BuiltZcp.Ended ended = assertSucceeds(sender);
      Matcher found = RESUMED.matcher(ended.out());
      assertThat(found.find()).as(ended.out()).isTrue();
      long resumedBytes = Long.parseLong(found.group(1));
      assertThat(resumedBytes).as("seed %d", seed).isGreaterThanOrEqualTo(arrivedBytes);
      if (isToldOf) {
        assertThat(resumedBytes).as("seed %d", seed).isGreaterThan(arrivedBytes);
      }
      resumed += resumedBytes > 0 ? 1 : 0;
    }
    tree.arrived().assertSameAs(whole);
    // A small file that the receiver was at when it was killed leaves its partial file: nobody goes
    // on with that.
    assertThat(tree.arrived().partials()).noneMatch(hidden -> hidden.endsWith(".journal"));
  }

  private BuiltZcp.Ended assertSucceeds(BuiltZcp sender) throws Exception {
    BuiltZcp.Ended ended = sender.end();
    assertThat(ended.err()).as("seed %d", seed).isEmpty();
    assertThat(ended.exitCode()).as("seed %d", seed).isZero();
    return ended;
  }

  /// Whether there is a journal with a record in it, of a partial file that can be gone on with:
  /// 100 bytes are its header. One that had its permissions when the receiver was killed, and not
  /// its name yet, others may have opened: it begins anew.
  private boolean isAnythingToldOf() throws IOException {
    try (Stream<Path> files = Files.walk(tree.inbox())) {
      for (Path file : files.toList()) {
        String name = file.toString();
        if (name.endsWith(".journal") && Files.size(file) >= 124) {
          Path partial = Path.of(name.substring(0, name.length() - "journal".length()) + "part");
          if (Files.exists(partial) && Files.getPosixFilePermissions(partial).equals(PRIVATE)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private BuiltZcp send(String... options) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("send", "-r", "-q", "--json", "--stall-timeout=5s"));
    words.addAll(List.of(options));
    words.add("--key-file=" + tree.keyFile());
    words.add("127.0.0.1:" + port);
    words.add(tree.source() + "/.");
    return BuiltZcp.start(folder, words.toArray(String[]::new));
  }

  private void listen() throws Exception {
    receiver =
        BuiltZcp.start(
            folder,
            "receive",
            "-q",
            "--stall-timeout=5s",
            "--key-file=" + tree.keyFile(),
            "--listen=127.0.0.1:" + port,
            tree.inbox().toString());
    receiver.firstLine();
  }

  /// Waits until some moment between the sender's first connection and its end.
  private void awaitAMoment(BuiltZcp sender) throws Exception {
    awaitConnection(sender);
    long waitNs = (long) (random.nextDouble() * spanNs);
    long begunNs = System.nanoTime();
    while (sender.isAlive() && System.nanoTime() - begunNs < waitNs) {
      LockSupport.parkNanos(100_000);
    }
    if (!sender.isAlive()) {
      // The machine is less busy than it was when this was measured.
      spanNs = (spanNs + System.nanoTime() - begunNs) / 2;
    }
  }

  private static void awaitConnection(BuiltZcp sender) throws Exception {
    while (sender.isAlive() && !Files.readString(sender.out()).contains("\"connected\"")) {
      LockSupport.parkNanos(500_000);
    }
  }
}

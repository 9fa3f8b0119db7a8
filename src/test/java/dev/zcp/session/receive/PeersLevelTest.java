package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What one end did not prove, the other does not tell its user of as proved.
@Timeout(120)
class PeersLevelTest {

  private static final int FILE_BYTES = 16 << 20;
  private static final long DAMAGED_AT = 77;
  private static final int RECORDS_MIN = 2;
  private static final int TRIES_MAX = 3000;
  private static final long TRY_MS = 10;

  @TempDir Path home;

  @Test
  void aSenderDoesNotTellThatBytesWereProvedWhichItsReceiverBelieved() throws Exception {
    Path file = random("film");
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--resume-verify=none")) {
      interrupt(inbox, file);
      damage(inbox);
      Cli.Result sent = send(inbox, file);
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      // Both believe what is not so: this is what the level is about.
      assertThat(Files.mismatch(inbox.directory().resolve("film"), file)).isEqualTo(DAMAGED_AT);
      assertThat(flat(sent.err()))
          .contains("verified: none (")
          .contains("the receiver says none and no more");
      inbox.awaitSaid(0, "verified: none");
    }
  }

  @Test
  void theSameIsSaidInJson() throws Exception {
    Path file = random("film");
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--resume-verify=none")) {
      interrupt(inbox, file);
      Cli.Result sent = send(inbox, file, "--json");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(summary(sent))
          .contains("\"verified\":\"none\"")
          .containsPattern("\"verifiedBy\":\"[^\"]*the receiver says none and no more");
    }
  }

  @Test
  void aReceiverDoesNotTellThatBytesWereProvedWhichItsSenderBelieved() throws Exception {
    Path file = random("film");
    try (Reception inbox = Reception.open(home.resolve("inbox"))) {
      interrupt(inbox, file);
      int before = inbox.said();
      Cli.Result sent = send(inbox, file, "--resume-verify=none");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(flat(sent.err()))
          .contains("verified: none (")
          .contains("were believed and not read again on this side")
          .doesNotContain("the receiver says");
      String taken = inbox.awaitSaid(before, "verified: none");
      assertThat(flat(taken)).contains("the sender says none and no more");
    }
  }

  @Test
  void whatBothEndsProvedIsToldAsProved() throws Exception {
    Path file = random("film");
    try (Reception inbox = Reception.open(home.resolve("inbox"))) {
      interrupt(inbox, file);
      damage(inbox);
      int before = inbox.said();
      Cli.Result sent = send(inbox, file);
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      FileContent.assertSame(inbox.directory().resolve("film"), file);
      assertThat(flat(sent.err())).contains("verified: wire (").doesNotContain("no more");
      assertThat(flat(inbox.awaitSaid(before, "verified: wire"))).doesNotContain("no more");
    }
  }

  @Test
  void aFileSystemInMemoryBelowTheDirectoryIsNotToldOfAsReadFromItsDevice() throws Exception {
    Path tree = Files.createDirectories(home.resolve("tree/tmpfs"));
    Files.writeString(tree.resolve("small"), "x");
    Files.move(random("film"), tree.resolve("large"));
    try (Mounted disk = Mounted.inFile(home, "ext4", "128M", "-q");
        Mounted memory = Mounted.inMemory(disk.path(), "tmpfs");
        Reception inbox = Reception.open(disk.path(), "--once")) {
      Cli.Result sent = send(inbox, home.resolve("tree/."), "-r", "--verify=media");
      Cli.Result taken = inbox.receiver().end();
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(memory.path().resolve("large")).hasSize(FILE_BYTES);
      assertThat(flat(taken.err())).contains("verified: readback (").doesNotContain("no more");
      assertThat(flat(sent.err()))
          .contains("verified: readback (")
          .contains("each file read again there before it got its name")
          .contains("the receiver says readback and no more")
          .doesNotContain("device");
    }
  }

  private Path random(String name) throws IOException {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(3).nextBytes(bytes);
    return Files.write(home.resolve(name), bytes);
  }

  /// Has the receiver take some of a file, and lose its sender.
  private void interrupt(Reception inbox, Path file) throws Exception {
    try (ZcpProcess sender =
        ZcpProcess.start(
            home,
            Map.of("ZCP_KEY", inbox.key().text()),
            "send",
            "-q",
            "--limit-rate=4M",
            inbox.address(),
            file.toString())) {
      long bytesMin = Journal.JournalHeader.BYTES + (long) RECORDS_MIN * Journal.RECORD_BYTES;
      for (int tries = 0; tries < TRIES_MAX && bytesOf(inbox, ".journal") < bytesMin; tries++) {
        Thread.sleep(TRY_MS);
      }
      assertThat(bytesOf(inbox, ".journal")).isGreaterThanOrEqualTo(bytesMin);
      sender.signal("KILL");
      sender.end();
    }
    assertThat(inbox.directory().resolve(file.getFileName())).doesNotExist();
  }

  private static long bytesOf(Reception inbox, String ending) throws IOException {
    Path found = find(inbox, ending);
    return found == null ? 0 : Files.size(found);
  }

  private static Path find(Reception inbox, String ending) throws IOException {
    try (Stream<Path> files = Files.list(inbox.directory())) {
      return files.filter(each -> each.toString().endsWith(ending)).findFirst().orElse(null);
    }
  }

  private static void damage(Reception inbox) throws IOException {
    try (FileChannel part =
        FileChannel.open(find(inbox, ".part"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      part.read(one, DAMAGED_AT);
      one.put(0, (byte) (one.get(0) ^ 0x10));
      part.write(one.flip(), DAMAGED_AT);
    }
  }

  private static Cli.Result send(Reception inbox, Path what, String... options) {
    List<String> arguments = new ArrayList<>(List.of("send"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of(inbox.address(), what.toString()));
    return Cli.run(Map.of("ZCP_KEY", inbox.key().text()), arguments.toArray(String[]::new));
  }

  private static String flat(String told) {
    return told.replaceAll("\\s+", " ");
  }

  private static String summary(Cli.Result sent) {
    String[] lines = (sent.out() + sent.err()).split("\n");
    for (String line : lines) {
      if (line.contains("\"event\":\"result\"")) {
        return line;
      }
    }
    return String.join("\n", lines);
  }
}

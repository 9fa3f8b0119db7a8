package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.testing.Cli;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.ZcpProcess;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `--max-size` and `--max-files` hold for all sessions of a receiver together. They once held for
/// each, so that a sender got past them that came again.
@Timeout(180)
class LimitsOfReceiverTest {

  private static final int TRIES_MAX = 600;
  private static final int MIB = 1 << 20;

  @TempDir Path home;

  private Path a;
  private Path b;
  private Path c;

  @BeforeEach
  void makeFiles() throws IOException {
    a = Files.writeString(home.resolve("a"), "6 byte");
    b = Files.writeString(home.resolve("b"), "6 more");
    c = Files.writeString(home.resolve("c"), "four");
  }

  @Test
  void anotherSessionGetsTheBytesThatAreLeft() throws Exception {
    try (Reception inbox = receive("--max-size=10")) {
      assertSent(inbox, a);
      assertRefused(inbox, "the sender has 6 B (--max-size allows 10 B in all, 4 B left)", b);
      assertSent(inbox, c);
      assertThat(inbox.held()).containsExactly("a", "c");
      inbox.awaitSaid(0, "inbox: the sender has 6 B (--max-size allows 10 B in all, 4 B left)");
    }
  }

  @Test
  void anotherSessionGetsTheEntriesThatAreLeft() throws Exception {
    Path folder = Files.createDirectory(home.resolve("folder"));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("nowhere"));
    try (Reception inbox = receive("--max-files=3", "--accept=all")) {
      assertThat(send(inbox, "-a", folder).exitCode()).isZero();
      assertRefused(inbox, "the sender has 2 entries (--max-files allows 3 in all, 1 left)", a, b);
      assertSent(inbox, b);
      assertRefused(inbox, "the sender has 1 entry (--max-files allows 3 in all, 0 left)", c);
      assertThat(inbox.held()).containsExactly("b", "folder");
    }
  }

  @Test
  void ofTwoSessionsAtOnceOnlyThoseAreLetInThatBothFit() throws Exception {
    try (Reception inbox = receive("--max-size=10")) {
      try (StrangeSender first = StrangeSender.greet(inbox)) {
        first.manifest(TestFrames.manifest(1, 6, 6, Level.WIRE, 0));
        assertRefused(inbox, "the sender has 6 B (--max-size allows 10 B in all, 4 B left)", a);
      }
      awaitSent(inbox, a);
    }
  }

  /// As one does that knows nothing of what it sends.
  @Test
  void whoAnnouncesNothingGetsWhatIsLeftToo() throws Exception {
    try (Reception inbox = receive("--max-size=10", "--max-files=3", "--accept=all")) {
      assertSent(inbox, a);
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offer(StrangeSender.entry(0, EntryKind.LINK, "link", 0));
        sender.offerFile(1, "fits", 4);
        sender.whole(1, 4);
        sender.hearUnits(2);
        sender.puppet().say(new Offer(List.of(StrangeSender.file(2, "over", 0))));
        Done done = sender.hear(Done.class);
        assertThat(done.exitCode()).isEqualTo(ExitCode.DESTINATION);
        assertThat(done.text())
            .isEqualTo("over: is one entry too many (--max-files allows 3 in all, 0 left)");
      }
      assertThat(inbox.held()).containsExactly("a", "fits", "link");
    }
  }

  @Test
  void smallFilesThatNobodyAnnouncedAreRefusedToo() throws Exception {
    try (Reception inbox = receive("--max-size=12")) {
      assertSent(inbox, a);
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.part(0, false, 0, Part.OWN_DIRECTORY, "fits", "over");
        Done done = sender.hear(Done.class);
        assertThat(done.text())
            .isEqualTo("over: is too large (--max-size allows 12 B in all, 1 B left)");
      }
      assertThat(inbox.held()).containsExactly("a", "fits");
    }
  }

  @Test
  void aStreamThatWasTooLongHasGivenBackAllOfIt() throws Exception {
    try (Reception inbox = receive("--max-size=10")) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "stream", Offered.SIZE_UNKNOWN);
        sender.block(0, new Span(0, 8), 0);
        sender.hearUnits(1);
        sender.block(0, new Span(8, 3), 0);
        assertThat(sender.hearRefused().text())
            .contains("is too large (--max-size allows 10 B in all, 2 B left)");
        assertSent(inbox, a);
      }
    }
  }

  @Test
  void whatIsRefusedForAnotherReasonDoesNotCount() throws Exception {
    try (Reception inbox = receive("--max-size=10", "--max-files=2")) {
      Files.writeString(inbox.directory().resolve("a"), "other");
      // Each comes as soon as the one before has heard that its session is over.
      for (int i = 0; i < 10; i++) {
        Cli.Result refused = inbox.send(a);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.EXISTS.number());
        assertThat(refused.err()).contains("already exists").doesNotContain("--max");
      }
      assertSent(inbox, b);
    }
  }

  /// Its sender asks whether it is there first, and then sends it: that was two entries once.
  @Test
  void aFileThatReplacesOneOfTheSameSizeAndTimeCountsOnce() throws Exception {
    FileTime then = FileTime.from(Instant.ofEpochSecond(1_700_000_000));
    try (Reception inbox = receive("--max-size=6", "--max-files=1", "--overwrite")) {
      Path there = Files.writeString(inbox.directory().resolve("a"), "others");
      Files.setLastModifiedTime(there, then);
      Files.setLastModifiedTime(a, then);
      assertSent(inbox, a);
      assertThat(there).hasContent("6 byte");
    }
  }

  /// It said of what was sent that there was no such file, at both ends.
  @Test
  void aDirectoryThatWasRemovedIsToldOf() throws Exception {
    try (Reception inbox = receive()) {
      Files.delete(inbox.directory());
      assertRefused(inbox, "the directory was removed", a);
    }
  }

  /// A file is in the way, so the session fails; the same command again does, too, but for that.
  @Test
  void whatIsThereFromASessionThatFailedDoesNotCountAgain() throws Exception {
    try (Reception inbox = receive("--max-size=12", "--max-files=2")) {
      Path other = Files.writeString(inbox.directory().resolve("b"), "other");
      assertThat(inbox.send(a, b).err()).contains("b: refused there: already exists");
      assertThat(inbox.send(a, b).err()).contains("b: refused there: already exists");
      Files.delete(other);
      assertSent(inbox, a, b);
      assertRefused(inbox, "(--max-files allows 2 in all, 0 left)", c);
    }
  }

  @Test
  void whatIsGoneOnWithDoesNotCountTwice() throws Exception {
    Path large = Files.write(home.resolve("large"), new byte[24 * MIB]);
    try (Reception inbox = receive("--max-size=24M", "--max-files=1")) {
      try (ZcpProcess sender =
          ZcpProcess.start(
              home,
              Map.of("ZCP_KEY", inbox.key().text()),
              List.of(),
              "send",
              "--limit-rate=16M",
              inbox.address(),
              large.toString())) {
        awaitBytes(inbox, 8 * MIB);
        sender.signal("KILL");
        sender.end();
      }
      awaitSent(inbox, large);
      assertThat(Files.mismatch(large, inbox.directory().resolve("large"))).isEqualTo(-1);
      assertRefused(inbox, "(--max-files allows 1 in all, 0 left)", c);
    }
  }

  private Reception receive(String... options) throws IOException {
    return Reception.open(home.resolve("inbox"), options);
  }

  private static Cli.Result send(Reception inbox, String option, Path file) {
    return Cli.run(
        Map.of("ZCP_KEY", inbox.key().text()),
        "send",
        "-q",
        option,
        inbox.address(),
        file.toString());
  }

  private static void assertSent(Reception inbox, Path... files) {
    assertThat(inbox.send(files)).isEqualTo(new Cli.Result(0, "", ""));
  }

  private static void assertRefused(Reception inbox, String why, Path... files) {
    Cli.Result refused = inbox.send(files);
    assertThat(refused.err()).endsWith(why + "\n").hasLineCount(1);
    assertThat(refused.exitCode()).isEqualTo(ExitCode.DESTINATION.number());
  }

  /// Until the receiver knows that the sender before has gone, what that announced is reserved.
  private static void awaitSent(Reception inbox, Path file) throws InterruptedException {
    Cli.Result result = inbox.send(file);
    for (int tries = 0; tries < TRIES_MAX && result.err().contains("--max"); tries++) {
      Thread.sleep(50);
      result = inbox.send(file);
    }
    assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
  }

  private static void awaitBytes(Reception inbox, long bytes) throws Exception {
    long there = 0;
    for (int tries = 0; tries < TRIES_MAX && there < bytes; tries++) {
      Thread.sleep(20);
      for (String name : inbox.held()) {
        there = name.endsWith(".part") ? Files.size(inbox.directory().resolve(name)) : there;
      }
    }
    assertThat(there).isGreaterThanOrEqualTo(bytes);
  }
}

package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.testing.Puppet;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.testing.ZcpProcess;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Refused;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a receiver says and does besides what the protocol is about: what is allowed, what is kept,
/// when it ends.
@Timeout(120)
class ReceivingSessionTest {

  private static final int RESTARTS_MAX = 100;

  private static final int MIB = 1 << 20;

  @TempDir Path home;

  @Test
  void oneEntryMoreThanAllowedEndsTheSessionThoughTheManifestSaidLess() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--max-files=1");
        StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.manifest(TestFrames.manifest(1, 0, 0, Level.WIRE, 0));
      sender.offerFile(0, "first", 1);
      sender.puppet().say(new Offer(List.of(StrangeSender.file(1, "second", 1))));
      Done done = sender.hear(Done.class);
      assertThat(done.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(done.text())
          .isEqualTo("second: is one entry too many (--max-files allows 1 in all, 0 left)");
    }
  }

  @Test
  void oneByteMoreThanAllowedEndsTheSessionThoughTheManifestSaidLess() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--max-size=10");
        StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.manifest(TestFrames.manifest(2, 10, 10, Level.WIRE, 0));
      sender.offerFile(0, "first", 6);
      sender.puppet().say(new Offer(List.of(StrangeSender.file(1, "second", 5))));
      Done done = sender.hear(Done.class);
      assertThat(done.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(done.text()).contains("is too large (--max-size allows 10 B in all, 4 B left)");
    }
  }

  @Test
  void aStreamThatGrowsPastWhatIsAllowedFails() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--max-size=10");
        StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "stream", Offered.SIZE_UNKNOWN);
      sender.block(0, new Span(0, 10), 0);
      sender.hearUnits(1);
      sender.block(0, new Span(10, 1), 0);
      Refused refused = sender.hearRefused();
      assertThat(refused.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(refused.text()).contains("--max-size");
      inbox.awaitHeld();
    }
  }

  @Test
  void theReceiversOwnLevelIsTheLeast() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--verify=readback");
        StrangeSender modest = StrangeSender.greet(inbox);
        StrangeSender strict = StrangeSender.greet(inbox)) {
      Accept accept = modest.manifest(TestFrames.manifest(1, 1, 1, Level.WIRE, 0));
      assertThat(accept.level()).isEqualTo(Level.READBACK);
      assertThat(strict.manifest(TestFrames.manifest(1, 1, 1, Level.MEDIA, 0)).level())
          .isEqualTo(Level.MEDIA);
    }
  }

  @Test
  void whereThereIsNoDeviceToReadTheTermsSaySo() throws Exception {
    try (Mounted memory = Mounted.inMemory(home, "tmpfs");
        Reception inbox = Reception.open(memory.path().resolve("inbox"));
        StrangeSender sender = StrangeSender.greet(inbox)) {
      assertThat(sender.manifest(TestFrames.manifest(1, 1, 1, Level.MEDIA, 0)).level())
          .isEqualTo(Level.READBACK);
    }
  }

  @Test
  void aConnectionThatIsLostIsNamedByItsOwnPort() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"));
        StrangeSender first = StrangeSender.begin(inbox)) {
      int before = inbox.said();
      int port;
      try (Puppet second =
          Puppet.sender(inbox.port(), inbox.key(), first.puppet().sessionId(), 1)) {
        port = second.socket().getLocalPort();
      }
      inbox.awaitSaid(
          before,
          "127.0.0.1:"
              + port
              + ": the sender closed the connection before the end (the session goes on over 1"
              + " more)\n");
    }
  }

  @Test
  void whatIsKeptOfAFileIsToldWhereNobodyComesBack() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"))) {
      int before = inbox.said();
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "large", 4 * MIB);
        sender.block(0, new Span(0, 2 * MIB), 0);
        sender.hearUnits(1);
      }
      inbox.awaitSaid(
          before,
          ": the sender closed the connection before the end (2.00 MiB of 4.00 MiB of large are"
              + " kept; the same command again goes on)\n");
      assertThat(inbox.held()).hasSize(2).allMatch(name -> name.startsWith(".zcp-"));
    }
  }

  /// Of which nothing has come in this session.
  @Test
  void whatIsKeptFromBeforeIsToldAndDroppedWithItsFile() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"))) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "large", 4 * MIB);
        sender.block(0, new Span(0, 2 * MIB), 0);
        sender.hearUnits(1);
      }
      int before = inbox.said();
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        assertThat(sender.offer(StrangeSender.file(0, "large", 4 * MIB)))
            .singleElement()
            .matches(answer -> answer.kind() == Answer.AnswerKind.REST);
      }
      inbox.awaitSaid(before, "(2.00 MiB of 4.00 MiB of large are kept;");
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offer(StrangeSender.file(0, "large", 4 * MIB));
        sender.end(0, 4 * MIB);
        assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.INTEGRITY);
        inbox.awaitHeld();
      }
    }
  }

  @Test
  void aReceiverOfOneTransferTakesAnotherInPlaceOfOneThatIsLost() throws Exception {
    Path file = Files.write(home.resolve("large"), StrangeSender.ones(4 * MIB));
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once", "--stall-timeout=1h")) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "large", 4 * MIB);
        sender.block(0, new Span(0, MIB), 0);
        sender.hearUnits(1);
      }
      // It takes a moment to learn that the first one is gone.
      Cli.Result sent = inbox.send(file);
      for (int i = 0; i < RESTARTS_MAX && sent.exitCode() == ExitCode.EXISTS.number(); i++) {
        sent = inbox.send(file);
      }
      assertThat(sent).isEqualTo(new Cli.Result(0, "", ""));
      assertThat(inbox.receiver().end().exitCode()).isZero();
      FileContent.assertSame(inbox.directory().resolve("large"), file);
    }
  }

  @Test
  void aBlockThatArrivesDamagedIsAskedForAgainAndSaidSo() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"));
        StrangeSender sender = StrangeSender.begin(inbox)) {
      int before = inbox.said();
      sender.offerFile(0, "file", 10);
      sender.block(0, new Span(0, 10), 1);
      assertThat(sender.hearRejection()).isEqualTo(new Again(0, new Span(0, 10)));
      sender.hearUnits(1);
      inbox.awaitSaid(before, "file: a block of 10 bytes at 0 differs from what was sent");
      sender.block(0, new Span(0, 10), 0);
      sender.hearUnits(2);
      sender.end(0, 10);
      sender.hearUnits(3);
      inbox.awaitHeld("file");
    }
  }

  /// All that is still to come would fail alike.
  @Test
  void aFullDiskEndsTheSession() throws Exception {
    try (Mounted disk = Mounted.inMemory(home, "tmpfs")) {
      Programs.run("mount", "-o", "remount,size=1m", disk.path().toString());
      try (Reception inbox = Reception.open(disk.path());
          StrangeSender first = StrangeSender.begin(inbox);
          StrangeSender second = first.join(inbox, 1)) {
        second.offerFile(1, "small", 5);
        first.offerFile(0, "stream", Offered.SIZE_UNKNOWN);
        first.puppet().say(new Data(0, new Span(0, 64 * MIB)));
        int before = inbox.said();
        first.puppet().bytes(StrangeSender.ones(2 * MIB), 2 * MIB);
        second.assertGivenUp(ExitCode.DESTINATION);
        second.puppet().socket().close();
        first.puppet().socket().close();
        inbox.awaitSaid(before, "stream: no space left on device");
      }
    }
  }

  /// What was read from it already is in the pipe behind, and cannot be sent there again.
  @Test
  void aStreamToStandardOutputIsOverWithItsConnection() throws Exception {
    Key key = Key.random();
    try (ZcpProcess receiver =
        ZcpProcess.start(
            home, Map.of("ZCP_KEY", key.text()), "receive", "--listen=127.0.0.1:0", "-")) {
      try (StrangeSender sender = StrangeSender.of(Puppet.sender(portOf(receiver), key))) {
        Accept accept =
            sender.manifest(
                TestFrames.manifest(1, Manifest.UNKNOWN, Manifest.UNKNOWN, Level.WIRE, 0));
        assertThat(accept.inOrder()).isTrue();
        assertThat(accept.connectionsMax()).isOne();
        sender.offerFile(0, "stdin", Offered.SIZE_UNKNOWN);
        sender.block(0, new Span(0, 5), 0);
        assertThat(sender.puppet().hear()).isEqualTo(TestVerdicts.done(1));
      }
      Cli.Result result = receiver.end();
      assertThat(result.exitCode()).isEqualTo(ExitCode.NETWORK.number());
      assertThat(result.out()).isEqualTo("\1\1\1\1\1");
    }
  }

  /// One whose bytes were not sent, since the sender took it to be there.
  @Test
  void noProofIsToldOfASmallFileThatDidNotCome() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "large", MIB);
        PartBuilder builder = new PartBuilder();
        builder.clear();
        builder.owner(0644, 0, 0);
        builder.addBare(Part.OWN_DIRECTORY, new byte[] {'s'}, 5, 0, List.of());
        sender.puppet().say(builder.build(1, false, false, Digest.NONE));
        assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.DESTINATION);
        sender.whole(0, MIB);
        sender.hearUnits(3);
        sender.giveUp(ExitCode.SOURCE, "that was all");
      }
      Cli.Result result = inbox.receiver().end();
      assertThat(result.err().replaceAll("\\s+", " "))
          .contains("(CRC32C of each block")
          .doesNotContain("small file");
    }
  }

  @Test
  void noDigestIsMadeOfAStreamThatNobodyCompares() throws Exception {
    // So few that they fit the pipe, which is read when the receiver has ended.
    Path file = Files.write(home.resolve("file"), StrangeSender.ones(10_000));
    String key = Key.random().text();
    for (String level : new String[] {"wire", "none"}) {
      try (ZcpProcess receiver =
          ZcpProcess.start(
              home,
              Map.of("ZCP_KEY", key),
              "receive",
              "-v",
              "--report=full",
              "--listen=127.0.0.1:0",
              "-")) {
        Cli.Result sent =
            Cli.run(
                Map.of("ZCP_KEY", key),
                "send",
                "--verify=" + level,
                "127.0.0.1:" + portOf(receiver),
                file.toString());
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        Cli.Result taken = receiver.end();
        assertThat(taken.out()).hasSize(10_000);
        assertThat(taken.err()).contains("verified: " + level);
        assertThat(taken.err().lines().anyMatch(line -> line.startsWith("digest ")))
            .as(taken.err())
            .isEqualTo(level.equals("wire"));
      }
    }
  }

  /// Nothing of it can be sent again, so nobody is waited for as for the sender of a file.
  @Test
  void aStreamToAFileIsSoonOverWithItsConnection() throws Exception {
    Key key = Key.random();
    String inbox = Files.createDirectory(home.resolve("streams")).toString();
    try (ZcpProcess receiver =
        ZcpProcess.start(
            home,
            Map.of("ZCP_KEY", key.text()),
            "receive",
            "--once",
            "--stall-timeout=1h",
            "--listen=127.0.0.1:0",
            inbox)) {
      try (StrangeSender sender = StrangeSender.of(Puppet.sender(receiver.port(), key))) {
        sender.manifest(TestFrames.manifest(1, Manifest.UNKNOWN, Manifest.UNKNOWN, Level.WIRE, 0));
        sender.offerFile(0, "stdin", Offered.SIZE_UNKNOWN);
        sender.block(0, new Span(0, 5), 0);
        assertThat(sender.puppet().hear()).isEqualTo(TestVerdicts.done(1));
      }
      assertThat(receiver.end().exitCode()).isEqualTo(ExitCode.NETWORK.number());
    }
  }

  private static int portOf(ZcpProcess receiver) throws Exception {
    for (int tries = 0; tries < 1000 && !receiver.errors().contains("\n"); tries++) {
      Thread.sleep(20);
    }
    String url = receiver.errors().lines().findFirst().orElseThrow();
    return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }
}

package dev.zcp.session.receive;

import static dev.zcp.session.receive.StrangeSender.entry;
import static dev.zcp.session.receive.StrangeSender.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.testing.Cli;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Status;
import dev.zcp.wire.Timestamp;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Wants;
import dev.zcp.wire.Wants.Want;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One receiver, and senders with its key that make what no sender of zcp makes: after each of them
/// it still takes a good sender's file.
@Timeout(60)
class StrangeSendersTest {

  private static final byte[] CONTENT = new byte[100_000];

  @TempDir static Path home;

  private static Path good;
  private static Reception inbox;

  @BeforeAll
  static void startTheReceiver() throws IOException {
    new Random(1).nextBytes(CONTENT);
    good = Files.write(home.resolve("good"), CONTENT);
    inbox = Reception.open(home.resolve("inbox"));
  }

  @AfterAll
  static void stopTheReceiver() throws Exception {
    inbox.receiver().signal("TERM");
    Cli.Result result = inbox.receiver().end();
    inbox.close();
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
    assertThat(result.exitCode()).isEqualTo(128 + 15);
  }

  @BeforeEach
  void emptyTheInbox() throws IOException {
    inbox.empty();
  }

  @AfterEach
  void theNextGoodSenderIsServed() throws IOException {
    Files.deleteIfExists(inbox.directory().resolve("good"));
    assertThat(inbox.send(good)).isEqualTo(new Cli.Result(0, "", ""));
    assertThat(inbox.directory().resolve("good")).hasBinaryContent(CONTENT);
  }

  // What is offered.

  @Test
  void aPathThatCouldLeadOutBreaksTheProtocol() throws Exception {
    for (String path :
        List.of("..", ".", "/etc/passwd", "../x", "a/../../x", "a//b", "a/", "a\0b")) {
      byte[] bad = path.getBytes(StandardCharsets.ISO_8859_1);
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender
            .puppet()
            .sayBent(
                new Offer(List.of(file(0, "x".repeat(bad.length), 5))),
                payload ->
                    System.arraycopy(bad, 0, payload, payload.length - bad.length, bad.length));
        sender.assertGivenUp(ExitCode.PROTOCOL);
      }
    }
    inbox.awaitHeld();
    assertThat(home.resolve("x")).doesNotExist();
  }

  @Test
  void whatTheReceiverCallsItsPartialFilesIsNoNameForASender() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      Answer answer = sender.offer(file(0, ".zcp-0123456789abcdef.part", 5)).getFirst();
      assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(answer.exitCode()).isEqualTo(ExitCode.USAGE);
    }
    inbox.awaitHeld();
  }

  /// A path of as many names as 32 KiB hold once took 290 MB.
  @Test
  void aPathOfTooManyNamesBreaksTheProtocol() throws Exception {
    String path = ("a".repeat(255) + "/").repeat(127) + "a".repeat(255);
    Offer good = new Offer(List.of(file(0, path, 5)));
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.puppet().sayBent(good, payload -> deepen(payload, path.length()));
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    inbox.awaitHeld();
  }

  /// Makes the path, which ends the payload, one of names of one letter.
  private static void deepen(byte[] payload, int pathBytes) {
    for (int i = 1; i <= pathBytes; i++) {
      payload[payload.length - i] = (byte) (i % 2 == 0 ? '/' : 'a');
    }
  }

  @Test
  void directoriesThatWereNotOfferedAreNotMade() throws Exception {
    Files.createDirectory(inbox.directory().resolve("there"));
    try (Reception few = Reception.open(inbox.directory(), "--max-files=5");
        StrangeSender sender = StrangeSender.begin(few)) {
      List<Answer> answers =
          sender.offer(
              file(0, "a/".repeat(1000) + "b", 5),
              file(1, "there/b", 5),
              entry(2, EntryKind.DIRECTORY, "there", 0),
              file(3, "there/b", 5));
      assertThat(answers.subList(0, 2))
          .allSatisfy(
              answer -> {
                assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.FAILED);
                assertThat(answer.text()).contains("its directory was not offered");
              });
      assertThat(answers.subList(2, 4))
          .extracting(Answer::kind)
          .containsOnly(Answer.AnswerKind.ALL);
      sender.whole(3, 5);
      sender.hearUnits(2);
    }
    inbox.awaitHeld("there");
  }

  @Test
  void anIdThatIsUsedForAnotherEntryBreaksTheProtocol() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "one", 5);
      sender.puppet().say(new Offer(List.of(file(0, "other", 5))));
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    inbox.awaitHeld();
  }

  @Test
  void linksAndDevicesAreDeclinedWhereNobodyAskedForThem() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      EntryKind[] kinds = {
        EntryKind.LINK, EntryKind.FIFO, EntryKind.CHARACTER_DEVICE, EntryKind.BLOCK_DEVICE
      };
      for (int id = 0; id < kinds.length; id++) {
        Answer answer = sender.offer(entry(id, kinds[id], "special" + id, 0)).getFirst();
        assertThat(answer.kind()).as(kinds[id].name()).isEqualTo(Answer.AnswerKind.DECLINED);
      }
    }
    inbox.awaitHeld();
  }

  @Test
  void theTimeOfAFileMayBeAnyAndItsPermissionsAreMasked() throws Exception {
    for (long seconds : new long[] {-31_557_014_135_596_799L, 31_556_889_832_780_799L, -1, 0}) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        Timestamp when = new Timestamp(seconds, 999_999_999);
        Offered entry = entry(0, EntryKind.FILE, "when", 5, StrangeSender.metadata(07777, when));
        Answer answer = sender.offer(entry).getFirst();
        if (answer.kind() == Answer.AnswerKind.FAILED) {
          continue;
        }
        sender.whole(0, 5);
        sender.hearUnits(2);
      }
      inbox.awaitHeld("when");
      Path file = inbox.directory().resolve("when");
      assertThat(Files.getPosixFilePermissions(file))
          .isSubsetOf(PosixFilePermissions.fromString("rwxrwxr-x"));
      assertThat((int) Files.getAttribute(file, "unix:mode") & 07000).isZero();
      Files.delete(file);
    }
  }

  @Test
  void moreThanTheDiskHoldsIsRefusedBeforeItsFirstByte() throws Exception {
    try (StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.puppet().say(TestFrames.manifest(1, 1L << 62, 1L << 62, Level.WIRE, 0));
      Done done = sender.hear(Done.class);
      assertThat(done.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(done.text()).contains("no space left").contains("4.00 EiB needed");
    }
    inbox.awaitHeld();
  }

  @Test
  void holesNeedNoRoom() throws Exception {
    try (StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.puppet().say(TestFrames.manifest(1, 1L << 62, 1, Level.WIRE, 0));
      sender.hear(Accept.class);
    }
  }

  @Test
  void aNameThatComesTwiceIsRefusedTheSecondTime() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "twice", 5);
      Answer second = sender.offer(file(1, "twice", 5)).getFirst();
      assertThat(second.exitCode()).isEqualTo(ExitCode.EXISTS);
      sender.whole(0, 5);
      sender.hearUnits(2);
      // Now it is there, with other times or not.
      Answer third = sender.offer(file(2, "twice", 6)).getFirst();
      assertThat(third.exitCode()).isEqualTo(ExitCode.EXISTS);
    }
    inbox.awaitHeld("twice");
    assertThat(inbox.directory().resolve("twice")).hasSize(5);
  }

  @Test
  void aLinkIsNeverFollowed() throws Exception {
    Path outside = Files.write(home.resolve("outside"), new byte[] {42});
    Path folder = Files.createDirectories(home.resolve("folder"));
    for (Path target : List.of(outside, folder, home.resolve("nowhere"))) {
      Path link = Files.createSymbolicLink(inbox.directory().resolve("link"), target);
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        List<Answer> answers = sender.offer(file(0, "link", 5), file(1, "link/below", 5));
        assertThat(answers.get(0).exitCode()).isEqualTo(ExitCode.EXISTS);
        assertThat(answers.get(1).kind()).isEqualTo(Answer.AnswerKind.FAILED);
        Answer directory = sender.offer(entry(2, EntryKind.DIRECTORY, "link", 0)).getFirst();
        assertThat(directory.kind()).isEqualTo(Answer.AnswerKind.FAILED);
      }
      try (Reception replacing = Reception.open(inbox.directory(), "--overwrite");
          StrangeSender sender = StrangeSender.begin(replacing)) {
        sender.offerFile(0, "link", 5);
        sender.whole(0, 5);
        sender.hearUnits(2);
        assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(link).hasSize(5);
      }
      Files.delete(link);
    }
    assertThat(outside).hasBinaryContent(new byte[] {42});
    assertThat(folder).isEmptyDirectory();
    assertThat(home.resolve("nowhere")).doesNotExist();
  }

  @Test
  void aDirectoryIsNotReplacedByAFile() throws Exception {
    Path folder = Files.createDirectory(inbox.directory().resolve("folder"));
    try (Reception replacing = Reception.open(inbox.directory(), "--overwrite");
        StrangeSender sender = StrangeSender.begin(replacing)) {
      assertThat(sender.offer(file(0, "folder", 5)).getFirst().exitCode())
          .isEqualTo(ExitCode.EXISTS);
    }
    assertThat(folder).isEmptyDirectory();
  }

  // What is sent.

  @Test
  void bytesThatWereNotAskedForBreakTheProtocol() throws Exception {
    try (StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.puppet().say(new Data(0, new Span(0, 4)));
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.puppet().say(new Data(0, new Span(0, 4)));
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    for (Span wrong : List.of(new Span(0, 11), new Span(10, 1), new Span(1L << 62, 4))) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "more", 10);
        sender.puppet().say(new Data(0, wrong));
        sender.assertGivenUp(ExitCode.PROTOCOL);
      }
    }
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "more", 10);
      sender.part(0, false, 0, Part.OWN_DIRECTORY, "more");
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    inbox.awaitHeld();
  }

  @Test
  void aLastWordWithALevelAboveWhatWasAgreedBreaksTheProtocol() throws Exception {
    for (Level level : List.of(Level.READBACK, Level.MEDIA)) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        Bytes digest = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);
        sender.puppet().say(new Done(ExitCode.OK, 0, 0, level, digest, "", false));
        sender.assertGivenUp(ExitCode.PROTOCOL);
      }
    }
  }

  @Test
  void aTrailerOfAnotherBlockBreaksTheProtocol() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "block", 10);
      Span block = new Span(0, 5);
      Digest digest = Digest.crc32c(StrangeSender.crc32c(StrangeSender.ones(5)));
      Trailer other = Trailer.ok(0, new Span(5, 5), digest);
      sender.puppet().block(new Data(0, block), StrangeSender.ones(5), other);
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    inbox.awaitHeld();
  }

  @Test
  void aFileThatEndsWithAGapIsNotWhatWasSent() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "gap", 10);
      sender.block(0, new Span(0, 4), 0);
      sender.block(0, new Span(5, 5), 0);
      sender.hearUnits(2);
      sender.end(0, 10);
      assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.INTEGRITY);
      sender.hearUnits(3);
    }
    inbox.awaitHeld();
  }

  @Test
  void blocksInAnyOrderAreAFile() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "any", 10);
      sender.puppet().say(new Beat(0));
      sender.block(0, new Span(5, 5), 0);
      sender.block(0, new Span(0, 5), 0);
      sender.hearUnits(2);
      sender.puppet().say(new Beat(10));
      sender.end(0, 10);
      sender.hearUnits(3);
    }
    inbox.awaitHeld("any");
    assertThat(inbox.directory().resolve("any")).hasBinaryContent(StrangeSender.ones(10));
  }

  @Test
  void aForgedSealEndsTheConnectionAndNotTheSession() throws Exception {
    int before = inbox.said();
    StrangeSender forged = StrangeSender.begin(inbox);
    forged.offerFile(0, "forged", 5);
    forged.puppet().say(new Data(0, new Span(0, 5)));
    forged.puppet().bytes(new byte[5], 5);
    forged.puppet().bytes(new byte[96], 96);
    assertThat(forged.puppet().socket().getInputStream().read()).isEqualTo(-1);
    try (StrangeSender sender = forged.join(inbox, 1)) {
      sender.puppet().say(new Lost(List.of(0)));
      sender.block(0, new Span(0, 5), 0);
      sender.hearUnits(1);
      sender.end(0, 5);
      sender.hearUnits(2);
    }
    forged.close();
    inbox.awaitHeld("forged");
    inbox.awaitSaid(before, "zcp: ");
  }

  @Test
  void damagedBytesAreAskedForAgainAndTheFileIsWhole() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "block", 5);
      sender.block(0, new Span(0, 5), 1);
      assertThat(sender.hearRejection()).isEqualTo(new Again(0, new Span(0, 5)));
      sender.hearUnits(1);
      inbox.awaitPartial();
      sender.whole(0, 5);
      sender.hearUnits(3);
    }
    inbox.awaitHeld("block");
    assertThat(inbox.directory().resolve("block")).hasBinaryContent(StrangeSender.ones(5));
  }

  /// Once 59,500 bad blocks were asked for again, with a line for each.
  @Test
  void bytesThatAlwaysArriveDamagedAreTheEndOfTheirFile() throws Exception {
    int before = inbox.said();
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "block", 5);
      for (int i = 1; i <= 3; i++) {
        sender.block(0, new Span(0, 5), 1);
        assertThat(sender.hearRejection()).isEqualTo(new Again(0, new Span(0, 5)));
        sender.hearUnits(i);
      }
      sender.block(0, new Span(0, 5), 1);
      assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.INTEGRITY);
      sender.hearUnits(4);
    }
    inbox.awaitHeld();
    assertThat(inbox.awaitSaid(before, "asked for again")).containsOnlyOnce("asked for again");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDamagedPartEndsItsConnectionThreeTimesAtMost(boolean isWellThen) throws Exception {
    StrangeSender sender = StrangeSender.begin(inbox);
    assertThat(sender.offer(entry(0, EntryKind.DIRECTORY, "new", 0)))
        .containsExactly(Answer.of(0, Answer.AnswerKind.NEW));
    for (int connection = 1; connection <= 3; connection++) {
      sender.part(1, connection > 1, 1, 0, "a", "b");
      sender.assertCut();
      StrangeSender next = sender.join(inbox, connection);
      sender.close();
      next.puppet().say(new Lost(List.of(connection - 1)));
      sender = next;
    }
    sender.part(1, true, isWellThen ? 0 : 1, 0, "a", "b");
    if (!isWellThen) {
      for (int id = 1; id <= 2; id++) {
        Refused refused = sender.hearRefused();
        assertThat(refused.fileId()).isEqualTo(id);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.INTEGRITY);
      }
    }
    sender.hearUnits(1);
    String[] names = inbox.directory().resolve("new").toFile().list();
    assertThat(names)
        .containsExactlyInAnyOrder(isWellThen ? new String[] {"a", "b"} : new String[0]);
    sender.close();
    inbox.empty();
  }

  @Test
  void aPartMayNotWriteWhatIsNotItsOwn() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      assertThat(sender.offer(entry(0, EntryKind.DIRECTORY, "new", 0))).hasSize(1);
      // The same file twice is there.
      sender.part(1, false, 0, 0, ".zcp-b", "a", "a");
      assertThat(sender.hearRefused()).matches(each -> each.fileId() == 1);
      sender.hearUnits(1);
      sender.part(9, false, 0, 7, "a");
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    inbox.empty();
  }

  @Test
  void aLookTellsWhatIsThere() throws Exception {
    Path same = Files.write(inbox.directory().resolve("same"), new byte[5]);
    Files.setLastModifiedTime(same, FileTime.fromMillis(0));
    Files.write(inbox.directory().resolve("other"), new byte[6]);
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.look(3, Part.OWN_DIRECTORY, "new", "same", "other");
      // What exists may not be replaced.
      Want[] wants = {Want.BYTES, Want.DIGEST, Want.NOTHING};
      assertThat(sender.hear(Wants.class)).isEqualTo(Wants.of(3, wants));
    }
    inbox.awaitHeld("other", "same");
  }

  @Test
  void aLookAtADirectoryThatWasNotOfferedBreaksTheProtocol() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.look(0, 7, "a");
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
  }

  @Test
  void aSourceThatFailedIsNotPublished() throws Exception {
    for (Status status : List.of(Status.SHORT, Status.CHANGED, Status.FAILED)) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "lost", 5);
        Span block = new Span(0, 5);
        Trailer trailer = new Trailer(0, block, status, Digest.crc32c(0));
        sender.puppet().block(new Data(0, block), new byte[5], trailer);
        sender.puppet().say(new EntryEnds(List.of(new Ending(0, status, 0, 0))));
        assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.SOURCE);
        sender.giveUp(ExitCode.SOURCE, "lost");
        sender.assertGivenUp(ExitCode.SOURCE);
      }
      inbox.awaitHeld();
    }
  }

  @Test
  void whatWasCutLeavesNothing() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "cut", 1000);
      sender.puppet().say(new Data(0, new Span(0, 500)));
      sender.puppet().bytes(new byte[499], 499);
      inbox.awaitPartial();
    }
    inbox.awaitHeld();
  }

  // How long it stays.

  @Test
  void aSenderThatFallsSilentIsGivenUpAndLeavesNothing() throws Exception {
    int before = inbox.said();
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "silent", 1000);
      sender.puppet().say(new Data(0, new Span(0, 500)));
      inbox.awaitSaid(before, "stalled: the sender said nothing for too long");
      inbox.awaitHeld();
    }
  }

  /// Its answers fill the socket: saying them may not last for ever either.
  @Test
  void aSenderThatDoesNotReadItsAnswersIsGivenUp() throws Exception {
    Files.write(inbox.directory().resolve("good"), CONTENT);
    try (Reception own = Reception.open(inbox.directory());
        StrangeSender sender = StrangeSender.begin(own)) {
      CompletableFuture<Void> talk = CompletableFuture.runAsync(() -> offerAndBeat(sender));
      own.awaitSaid(0, "stalled: ");
      sender.puppet().socket().close();
      talk.join();
    }
  }

  /// Offers a file that is there as often as may be, again and again, without hearing an answer.
  /// The answers have 28 bytes each, 6.9 MB in all: more than the 4 MiB that Linux buffers
  /// (`net.ipv4.tcp_wmem`). Then it lives on.
  private static void offerAndBeat(StrangeSender sender) {
    try {
      List<Offered> entries = new ArrayList<>();
      for (int id = 0; id < Limits.ENTRIES_UNDER_WAY_MAX; id++) {
        entries.add(file(id, "good", 0));
      }
      for (int round = 0; round < 12; round++) {
        for (Offer offer : Offer.of(entries)) {
          sender.puppet().say(offer);
        }
      }
      while (true) {
        sender.puppet().say(new Beat(0));
        Thread.sleep(100);
      }
    } catch (IOException | InterruptedException e) {
      // Given up, which is what the test waits for.
    }
  }

  @Test
  void moreOffersThanMayBeUnderWayBreakTheProtocol() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      List<Offered> entries = new ArrayList<>();
      for (int id = 0; id <= Limits.ENTRIES_UNDER_WAY_MAX; id++) {
        entries.add(file(id, "file" + id, 5));
      }
      for (Offer offer : Offer.of(entries)) {
        sender.puppet().say(offer);
      }
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    inbox.awaitHeld();
  }

  /// A peer that was told why and neither reads nor closes gets 10 s, beats or no beats.
  @Test
  void whoIsGivenUpCannotStay() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.puppet().say(new Offer(List.of(file(7, "a", 5), file(7, "stays", 1000))));
      long startedNs = System.nanoTime();
      sender.assertGivenUp(ExitCode.PROTOCOL);
      while (true) {
        sender.puppet().bytes(new byte[100], 100);
        Thread.sleep(100);
        assertThat(System.nanoTime() - startedNs).isLessThan(20_000_000_000L);
      }
    } catch (SocketException e) {
      assertThat(e).hasMessageMatching(".*([Bb]roken pipe|reset).*");
    }
    inbox.awaitHeld();
  }

  // Anything.

  @Test
  void anyBytesAfterTheHandshakeEndTheSessionOnly() throws Exception {
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      try (StrangeSender sender = StrangeSender.greet(inbox)) {
        byte[] noise = new byte[1 + random.nextInt(2000)];
        random.nextBytes(noise);
        sender.puppet().bytes(noise, noise.length);
        leave(sender.puppet().socket());
      }
    }
    assertThat(inbox.receiver().errors()).as("seed " + seed).doesNotContain("internal error");
    inbox.awaitHeld();
  }

  /// Good frames with one field made strange, under a seal that fits.
  @Test
  void anyFieldsInAFrameEndTheSessionOnly() throws Exception {
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      try (StrangeSender sender = StrangeSender.begin(inbox)) {
        sender.offerFile(0, "fields", 5);
        byte[] payload = new byte[random.nextInt(70)];
        random.nextBytes(payload);
        sender
            .puppet()
            .control(
                random.nextInt(17),
                random.nextInt(2),
                random.nextInt(3),
                random.nextInt(3),
                payload);
        leave(sender.puppet().socket());
      }
    }
    assertThat(inbox.receiver().errors()).as("seed " + seed).doesNotContain("internal error");
    inbox.awaitHeld();
  }

  private static void leave(Socket socket) throws IOException {
    try {
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // Reset, since the receiver closed with bytes of ours unread.
    }
  }
}

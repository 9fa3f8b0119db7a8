package dev.zcp.session.receive;

import static dev.zcp.session.receive.StrangeSender.entry;
import static dev.zcp.session.receive.StrangeSender.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.secure.Randomness;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.Puppet;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Welcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sessions of several connections, and several sessions at once, at one receiver.
@Timeout(60)
class StrangeSessionsTest {

  @TempDir Path home;

  private Reception inbox;

  @BeforeEach
  void startTheReceiver() throws IOException {
    inbox = Reception.open(home.resolve("inbox"));
  }

  @AfterEach
  void stopTheReceiver() throws Exception {
    inbox.receiver().signal("TERM");
    Cli.Result result = inbox.receiver().end();
    inbox.close();
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
  }

  // Connections of one session.

  @Test
  void nobodyJoinsASessionThatIsNotThere() {
    Bytes unknown = Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES));
    assertThatExceptionOfType(Puppet.TurnedAway.class)
        .isThrownBy(() -> Puppet.sender(inbox.port(), inbox.key(), unknown, 1).close())
        .matches(refusal -> refusal.status() == Welcome.NO_SESSION);
  }

  @Test
  void aNumberIsTakenOnce() throws Exception {
    try (StrangeSender first = StrangeSender.begin(inbox);
        StrangeSender second = first.join(inbox, 1)) {
      for (int used : new int[] {0, 1}) {
        assertThatExceptionOfType(Puppet.TurnedAway.class)
            .isThrownBy(() -> first.join(inbox, used).close())
            .matches(refusal -> refusal.status() == Welcome.NO_SESSION);
      }
      second.puppet().close();
      assertThatExceptionOfType(Puppet.TurnedAway.class)
          .isThrownBy(() -> first.join(inbox, 1).close());
      first.offerFile(0, "still", 5);
    }
  }

  @Test
  void aFileComesTogetherFromTwoConnections() throws Exception {
    try (StrangeSender first = StrangeSender.begin(inbox);
        StrangeSender second = first.join(inbox, 0xffff)) {
      first.offerFile(0, "both", 10);
      second.block(0, new Span(5, 5), 0);
      first.block(0, new Span(0, 5), 0);
      second.hearUnits(1);
      first.hearUnits(1);
      second.end(0, 10);
      second.hearUnits(2);
      inbox.awaitHeld("both");
      assertThat(inbox.directory().resolve("both")).hasBinaryContent(StrangeSender.ones(10));
    }
  }

  @Test
  void whatAConnectionBroughtBeforeItWasLostStays() throws Exception {
    int before = inbox.said();
    try (StrangeSender first = StrangeSender.begin(inbox);
        StrangeSender second = first.join(inbox, 1)) {
      first.offerFile(0, "lost", 10);
      second.block(0, new Span(5, 5), 0);
      second.hearUnits(1);
      second.puppet().say(new Data(0, new Span(0, 5)));
      second.puppet().bytes(new byte[] {9, 9}, 2);
      second.puppet().close();
      inbox.awaitSaid(before, "(the session goes on over 1 more)");
      first.block(0, new Span(0, 5), 0);
      // Some of it once more, since nobody heard that it had come: that does no harm.
      first.block(0, new Span(5, 5), 0);
      first.hearUnits(2);
      first.end(0, 10);
      first.hearUnits(3);
      inbox.awaitHeld("lost");
      assertThat(inbox.directory().resolve("lost")).hasBinaryContent(StrangeSender.ones(10));
    }
  }

  @Test
  void aSessionWithoutAConnectionWaitsForAnother() throws Exception {
    StrangeSender first = StrangeSender.begin(inbox);
    first.offerFile(0, "back", 10);
    first.block(0, new Span(0, 5), 0);
    first.hearUnits(1);
    first.close();
    try (StrangeSender second = first.join(inbox, 1)) {
      // The same offer has the same answer.
      second.offerFile(0, "back", 10);
      second.block(0, new Span(5, 5), 0);
      second.hearUnits(1);
      second.end(0, 10);
      second.hearUnits(2);
    }
    inbox.awaitHeld("back");
  }

  @Test
  void aSessionThatNobodyComesBackToIsOver() throws Exception {
    int before = inbox.said();
    StrangeSender first = StrangeSender.begin(inbox);
    first.offerFile(0, "gone", 10);
    first.block(0, new Span(0, 5), 0);
    first.hearUnits(1);
    first.close();
    inbox.awaitSaid(before, "zcp: ");
    inbox.awaitHeld();
    assertThatExceptionOfType(Puppet.TurnedAway.class)
        .isThrownBy(() -> first.join(inbox, 1).close())
        .matches(refusal -> refusal.status() == Welcome.NO_SESSION);
  }

  @Test
  void aSessionHasABoundedNumberOfConnections() throws Exception {
    List<StrangeSender> all = new ArrayList<>();
    try {
      StrangeSender first = StrangeSender.greet(inbox);
      all.add(first);
      assertThatExceptionOfType(Puppet.TurnedAway.class)
          .isThrownBy(
              () -> {
                for (int number = 1; number < 100; number++) {
                  all.add(first.join(inbox, number));
                }
              })
          .matches(refusal -> refusal.status() == Welcome.BUSY);
      assertThat(all.size()).isBetween(4, 64);
    } finally {
      for (StrangeSender each : all) {
        each.close();
      }
    }
  }

  // Several sessions.

  @Test
  void aPathThatALivingSessionHasUnderWayIsNobodyElses() throws Exception {
    try (StrangeSender first = StrangeSender.begin(inbox);
        StrangeSender second = StrangeSender.begin(inbox)) {
      first.offerFile(0, "mine", 10);
      Answer refused = second.offer(file(0, "mine", 10)).getFirst();
      assertThat(refused.kind()).isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(refused.exitCode()).isEqualTo(ExitCode.EXISTS);
      first.whole(0, 10);
      first.hearUnits(2);
      inbox.awaitHeld("mine");
    }
  }

  @Test
  void aPathThatALostSessionHasUnderWayIsAnothers() throws Exception {
    try (Reception patient = Reception.open(home.resolve("patient"), "--stall-timeout=60s")) {
      StrangeSender first = StrangeSender.begin(patient);
      first.offerFile(0, "mine", 10);
      first.block(0, new Span(0, 5), 0);
      first.hearUnits(1);
      first.close();
      try (StrangeSender second = StrangeSender.begin(patient)) {
        Answer answer = second.offer(file(0, "mine", 10)).getFirst();
        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.OK);
        second.whole(0, 10);
        second.hearUnits(2);
      }
      patient.awaitHeld("mine");
      assertThatExceptionOfType(Puppet.TurnedAway.class)
          .isThrownBy(() -> first.join(patient, 1).close())
          .matches(refusal -> refusal.status() == Welcome.NO_SESSION);
    }
  }

  @Test
  void twoSessionsMayFillOneDirectory() throws Exception {
    try (StrangeSender first = StrangeSender.begin(inbox);
        StrangeSender second = StrangeSender.begin(inbox)) {
      assertThat(first.offer(entry(0, EntryKind.DIRECTORY, "d", 0), file(1, "d/one", 5)))
          .extracting(Answer::kind)
          .containsExactly(Answer.AnswerKind.NEW, Answer.AnswerKind.ALL);
      assertThat(second.offer(entry(0, EntryKind.DIRECTORY, "d", 0), file(1, "d/two", 5)))
          .extracting(Answer::kind)
          .containsOnly(Answer.AnswerKind.ALL);
      first.whole(1, 5);
      second.whole(1, 5);
      first.hearUnits(2);
      second.hearUnits(2);
      assertThat(inbox.directory().resolve("d/one")).hasSize(5);
      assertThat(inbox.directory().resolve("d/two")).hasSize(5);
    }
  }

  @Test
  void fourSendersAtOnceAreServedAlike() throws Exception {
    List<CompletableFuture<Cli.Result>> sent = new ArrayList<>();
    byte[][] contents = new byte[4][];
    for (int i = 0; i < 4; i++) {
      contents[i] = new byte[8 << 20];
      Arrays.fill(contents[i], (byte) i);
      sent.add(sending(Files.write(home.resolve("file" + i), contents[i])));
    }
    for (CompletableFuture<Cli.Result> one : sent) {
      assertThat(one.get()).isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(inbox.held()).containsExactly("file0", "file1", "file2", "file3");
    for (int i = 0; i < 4; i++) {
      FileContent.assertHolds(inbox.directory().resolve("file" + i), contents[i]);
    }
  }

  @Test
  void ofFourFilesWithOneNameExactlyOneWins() throws Exception {
    for (int round = 0; round < 5; round++) {
      inbox.empty();
      List<CompletableFuture<Cli.Result>> sent = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        byte[] content = new byte[4 << 20];
        Arrays.fill(content, (byte) i);
        Path from = Files.createDirectories(home.resolve("from" + i));
        sent.add(sending(Files.write(from.resolve("one"), content)));
      }
      int winner = -1;
      for (int i = 0; i < 4; i++) {
        Cli.Result result = sent.get(i).get();
        if (result.exitCode() == 0) {
          assertThat(winner).isEqualTo(-1);
          winner = i;
        } else {
          assertThat(result.exitCode()).as(result.err()).isEqualTo(9);
          assertThat(result.err()).contains("/one: ");
        }
      }
      assertThat(winner).isNotNegative();
      byte[] content = new byte[4 << 20];
      Arrays.fill(content, (byte) winner);
      FileContent.assertHolds(inbox.directory().resolve("one"), content);
      assertThat(inbox.held()).containsExactly("one");
    }
  }

  private CompletableFuture<Cli.Result> sending(Path file) {
    return CompletableFuture.supplyAsync(
        () -> inbox.send(file), work -> Thread.ofPlatform().start(work));
  }

  // A receiver of one session.

  @Test
  void aSecondSenderIsToldThatTheReceiverIsBusy() throws Exception {
    Path good = Files.write(home.resolve("good"), new byte[5]);
    try (Reception one = Reception.open(home.resolve("one"), "--once", "--stall-timeout=60s");
        StrangeSender first = StrangeSender.begin(one)) {
      first.offerFile(0, "first", 5);
      Cli.Result second = one.send(good);
      assertThat(second.err())
          .isEqualTo("zcp: " + one.address() + ": the receiver serves another sender\n");
      assertThat(second.exitCode()).isEqualTo(9);
      first.whole(0, 5);
      first.hearUnits(2);
      assertThat(one.held()).containsExactly("first");
    }
  }

  @Test
  void aReceiverOfOneTransferEndsWithTheCodeOfItsFailure() throws Exception {
    try (Reception one = Reception.open(home.resolve("one"), "--once", "-q")) {
      try (StrangeSender sender = StrangeSender.begin(one)) {
        sender.offerFile(0, "cut", 1000);
        sender.puppet().say(new Data(0, new Span(0, 500)));
      }
      Cli.Result result = one.receiver().end();
      assertThat(result.err())
          .matches(
              "zcp: 127\\.0\\.0\\.1:\\d+: the sender closed the connection before the end"
                  + " \\(files that were not complete were not published; send them again\\)\n");
      assertThat(result.exitCode()).isEqualTo(5);
      one.awaitHeld();
    }
  }

  @Test
  void aSenderThatCountedMoreIsTheFailureOfTheReceiverAndNotOfTheSender() throws Exception {
    try (Reception one = Reception.open(home.resolve("one"), "--once", "-q");
        StrangeSender sender = StrangeSender.begin(one)) {
      sender.done(ExitCode.OK, 3, 0, Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]), "");
      sender.assertGivenUp(ExitCode.INTEGRITY);
      sender.puppet().close();
      Cli.Result result = one.receiver().end();
      assertThat(result.err())
          .matches(
              "zcp: 127\\.0\\.0\\.1:\\d+: what arrived is not what was sent:"
                  + " the counts of both ends differ\n");
      assertThat(result.exitCode()).isEqualTo(7);
    }
  }

  @Test
  void aSenderThatCouldNotReadAFileIsNoSuccessHereEither() throws Exception {
    try (Reception one = Reception.open(home.resolve("one"), "--once", "-q");
        StrangeSender sender = StrangeSender.begin(one)) {
      sender.giveUp(ExitCode.SOURCE, "photo\u001b[2J: permission denied");
      sender.assertGivenUp(ExitCode.SOURCE);
      // One that stayed would be waited for.
      sender.puppet().close();
      Cli.Result result = one.receiver().end();
      assertThat(result.err())
          .matches("zcp: 127\\.0\\.0\\.1:\\d+: [^\n]*photo\\\\x1b\\[2J: permission denied[^\n]*\n");
      assertThat(result.exitCode()).isEqualTo(3);
    }
  }
}

package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Puppet;
import dev.zcp.testing.StrangePeer;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Part;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Rejection.Wanted;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Show;
import dev.zcp.wire.Wants;
import dev.zcp.wire.Wants.Want;
import dev.zcp.wire.Welcome;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A sender whose receiver is none, or a bad one: one line, the code that is documented, an end.
@Timeout(60)
class StrangeReceiversTest {

  private static final Key KEY = Key.random();
  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", KEY.text());
  private static final int BYTES = 5;
  private static final Answer ALL = Answer.of(0, Answer.AnswerKind.ALL);

  /// All of the file, as a receiver may hold it of which it has other bytes.
  private static final List<Held> HELD_OTHERWISE = List.of(new Held(new Span(0, BYTES), 1));

  /// Who has a strategy offers each file and sends it in blocks.
  private static final String IN_BLOCKS = "--strategy=direct";

  private static final String COMPARING = "zcp-claims";

  private static final int TRIES_MAX = 1000;
  private static final long TRY_MS = 10;

  @TempDir Path folder;

  private Path file;

  /// What a bad receiver with the key does to a sender.
  @FunctionalInterface
  private interface Treason {
    void play(Puppet puppet) throws Exception;
  }

  @BeforeEach
  void writeAFile() throws IOException {
    file = Files.write(folder.resolve("file"), new byte[BYTES]);
  }

  @Test
  void aServerOfHttpIsNamed() throws Exception {
    assertFails(
        socket -> {
          byte[] answer = "HTTP/1.1 400 Bad\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
          socket.getOutputStream().write(answer);
          drain(socket);
        },
        8,
        "the peer speaks HTTP, not zcp");
  }

  @Test
  void aReceiverThatServesAnotherTurnsTheSenderAway() throws Exception {
    assertFails(
        socket -> {
          Puppet.receiver(socket, KEY, Welcome.BUSY);
          drain(socket);
        },
        9,
        "the receiver serves another sender");
  }

  @Test
  void aReceiverThatKnowsNoNewSessionIsNoReceiver() throws Exception {
    assertFails(
        socket -> {
          Puppet.receiver(socket, KEY, Welcome.NO_SESSION);
          drain(socket);
        },
        8,
        "the receiver will not begin a session");
  }

  @Test
  void silenceAfterTheHandshakeIsGivenUp() throws Exception {
    assertBetrayed(StrangeReceiversTest::drain, 5, "stalled");
  }

  @Test
  void silenceAfterTheTermsIsGivenUp() throws Exception {
    assertBetrayed(
        puppet -> {
          accept(puppet);
          drain(puppet);
        },
        5,
        "stalled");
  }

  @Test
  void silenceAfterTheBytesIsGivenUp() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          drain(puppet);
        },
        5,
        "stalled");
  }

  @Test
  void beatsThatCountNothingAreNoProgress() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          for (int beats = 0; beats < 100; beats++) {
            puppet.say(new Beat(0));
            Thread.sleep(100);
          }
        },
        5,
        "stalled");
  }

  /// As one whose file system is frozen.
  @Test
  void aReceiverThatIsAtWorkIsWaitedFor() throws Exception {
    assertServed(
        puppet -> {
          takeTheFile(puppet);
          for (int beats = 1; beats <= 50; beats++) {
            puppet.say(new Beat(beats));
            Thread.sleep(100);
          }
          puppet.say(TestVerdicts.done(1));
        });
  }

  /// Its file system may keep it from taking what is sent.
  @Test
  void aReceiverThatIsAtWorkNeedNotRead() throws Exception {
    Files.write(file, new byte[16 << 20]);
    assertServed(
        puppet -> {
          hear(puppet, FrameType.MANIFEST);
          puppet.say(TestFrames.accept(Level.WIRE, 0, false, 4, 1 << 30, 16));
          hear(puppet, FrameType.OFFER);
          puppet.say(new Reply(List.of(ALL)));
          for (int beats = 1; beats <= 50; beats++) {
            puppet.say(new Beat(beats));
            Thread.sleep(100);
          }
          for (long left = 16 << 20; left > 0; ) {
            left -= takeUnit(puppet) instanceof Data data ? data.block().length() : 0;
            puppet.say(TestVerdicts.done(1));
          }
          hear(puppet, FrameType.END);
          puppet.say(TestVerdicts.done(1));
        },
        IN_BLOCKS);
  }

  @Test
  void anEndWithoutALastWordIsNoSuccess() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(TestVerdicts.done(1));
          hear(puppet, FrameType.DONE);
          puppet.socket().shutdownOutput();
          drain(puppet);
        },
        5,
        "");
  }

  /// Of a part, which is one unit, and of a block.
  @ParameterizedTest
  @ValueSource(strings = {"--strategy=auto", IN_BLOCKS})
  void moreAcknowledgedThanWasSentBreaksTheProtocol(String option) throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(TestVerdicts.done(2));
          drain(puppet);
        },
        8,
        "2 units acknowledged, of 1",
        option);
  }

  @Test
  void termsWithoutTheProofThatWasAskedForBreakTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          hear(puppet, FrameType.MANIFEST);
          puppet.say(TestFrames.accept(Level.NONE, 0, false, 4, 1 << 20, 16));
          drain(puppet);
        },
        8,
        "accepted with level NONE");
  }

  @Test
  void anAnswerToWhatWasNotOfferedBreaksTheProtocol() throws Exception {
    assertAnswerBreaks(Answer.of(7, Answer.AnswerKind.ALL), "an answer for 7, which was not due");
  }

  @Test
  void anAnswerOfAnotherKindBreaksTheProtocol() throws Exception {
    assertAnswerBreaks(Answer.of(0, Answer.AnswerKind.MADE), "MADE for 0");
    List<Held> beyond = List.of(new Held(new Span(0, BYTES + 1), 0));
    assertAnswerBreaks(Answer.rest(0, beyond), "REST for 0");
  }

  @Test
  void twoAnswersToOneOfferBreakTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          accept(puppet);
          hear(puppet, FrameType.OFFER);
          puppet.say(new Reply(List.of(ALL)));
          puppet.say(new Reply(List.of(ALL)));
          drain(puppet);
        },
        8,
        "which was not due",
        IN_BLOCKS);
  }

  @Test
  void anAnswerToALookThatWasNotSaidBreaksTheProtocol() throws Exception {
    assertWantsBreak(1, 1, "an answer to look 1, which was not due");
  }

  @Test
  void anAnswerToALookForOtherFilesBreaksTheProtocol() throws Exception {
    assertWantsBreak(0, 2, "an answer for 2 files, of 1");
  }

  @Test
  void bytesOfAPartAreNotAskedForAgain() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(TestVerdicts.doneBut(new Again(0, new Span(0, BYTES))));
          drain(puppet);
        },
        8,
        "a verdict on file 0 that does not fit it");
  }

  @Test
  void whatCameWholeIsNotWantedOnceMore() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(TestVerdicts.doneBut(new Wanted(0)));
          drain(puppet);
        },
        8,
        "a verdict on file 0 that does not fit it");
  }

  @Test
  void whatIsShownAndWantedIsSentWholeUnderAnotherId() throws Exception {
    assertServed(
        puppet -> {
          accept(puppet);
          want(puppet, puppet.hear(), Want.DIGEST);
          Part shown = (Part) takeUnit(puppet);
          assertThat(shown.rawBytes()).isZero();
          puppet.say(TestVerdicts.doneBut(new Wanted(shown.firstId())));
          Part whole = (Part) hear(puppet, FrameType.PART);
          assertThat(whole.rawBytes()).isEqualTo(BYTES);
          assertThat(whole.firstId()).isNotEqualTo(shown.firstId());
          puppet.say(TestVerdicts.done(1));
        });
  }

  @Test
  void aFileThatWasNeverOfferedIsNotRefused() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(TestVerdicts.rejected(new Refused(9, ExitCode.EXISTS, "no")));
          drain(puppet);
        },
        8,
        "file 9 refused, which was never offered");
  }

  @Test
  void aLastWordBeforeAllIsOverIsNoSuccess() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(done(1, BYTES, NO_DIGEST));
          drain(puppet);
        },
        8,
        "the receiver's last word before all is over");
  }

  /// The sender took that for a defect of its own.
  @Test
  void aLastWordAfterMoreWasAskedForIsNoSuccess() throws Exception {
    assertBetrayed(
        puppet -> {
          accept(puppet);
          want(puppet, puppet.hear(), Want.DIGEST);
          Part shown = (Part) takeUnit(puppet);
          Done early = hearDone(puppet);
          puppet.say(TestVerdicts.doneBut(new Wanted(shown.firstId())));
          puppet.say(early);
          drain(puppet);
        },
        8,
        "the receiver's last word before all is over");
  }

  @Test
  void otherCountsAndAnotherDigestAreAFailureOfIntegrity() throws Exception {
    List<UnaryOperator<Done>> lies =
        List.of(
            said -> done(said.entries() + 1, said.bytes(), said.digest()),
            said -> done(said.entries(), said.bytes() + 1, said.digest()),
            said -> done(said.entries(), said.bytes(), flipped(said.digest())));
    for (UnaryOperator<Done> lie : lies) {
      assertBetrayed(
          puppet -> {
            takeTheFile(puppet);
            puppet.say(TestVerdicts.done(1));
            puppet.say(lie.apply(hearDone(puppet)));
            drain(puppet);
          },
          7,
          "what arrived is not what was sent");
    }
  }

  @Test
  void aReceiverThatHasProvedMoreThanItPromisedBreaksTheProtocol() throws Exception {
    for (Level level : List.of(Level.READBACK, Level.MEDIA)) {
      assertBetrayed(
          puppet -> {
            takeTheFile(puppet);
            puppet.say(TestVerdicts.done(1));
            Done own = hearDone(puppet);
            puppet.say(new Done(ExitCode.OK, 1, own.bytes(), level, own.digest(), "", false));
            drain(puppet);
          },
          8,
          "proved to " + level + ", promised WIRE");
    }
  }

  /// The other tests of the last word show something only where this one is well.
  @Test
  void theSendersOwnLastWordSaidBackIsSuccess() throws Exception {
    assertServed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(TestVerdicts.done(1));
        });
  }

  @Test
  void whatIsHeldWithAnotherDigestIsSentAfterAll() throws Exception {
    assertServed(
        puppet -> {
          accept(puppet);
          hear(puppet, FrameType.OFFER);
          puppet.say(new Reply(List.of(Answer.rest(0, HELD_OTHERWISE))));
          hear(puppet, FrameType.DATA);
          puppet.say(TestVerdicts.done(1));
        },
        IN_BLOCKS);
  }

  @Test
  void nobodyWaitsForMoreToCompareOnceTheSessionIsOver() throws Exception {
    whatIsHeldWithAnotherDigestIsSentAfterAll();
    for (int tries = 0; isComparing() && tries < TRIES_MAX; tries++) {
      Thread.sleep(TRY_MS);
    }
    assertThat(isComparing()).as("a thread " + COMPARING + " is still there").isFalse();
  }

  private static boolean isComparing() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(COMPARING));
  }

  @Test
  void aWholeFileWithAnotherDigestDiffers() throws Exception {
    assertServed(
        puppet -> {
          accept(puppet);
          hear(puppet, FrameType.OFFER);
          puppet.say(new Reply(List.of(Answer.of(0, Answer.AnswerKind.WHOLE))));
          Show shown = (Show) hear(puppet, FrameType.SHOW);
          puppet.say(TestVerdicts.doneBut(new Wanted(shown.fileId())));
          hear(puppet, FrameType.DATA);
          puppet.say(TestVerdicts.done(1));
        },
        IN_BLOCKS);
  }

  @Test
  void aWholeFileThatDiffersAndMustStayFailsWithoutAnotherQuestion() throws Exception {
    Answer whole = Answer.of(0, Answer.AnswerKind.WHOLE);
    try (StrangePeer peer =
        new StrangePeer(
            socket ->
                betray(
                    socket,
                    puppet -> {
                      accept(puppet);
                      hear(puppet, FrameType.OFFER);
                      puppet.say(new Reply(List.of(whole)));
                      hear(puppet, FrameType.SHOW);
                      assertThat(((Done) hear(puppet, FrameType.DONE)).isEarly()).isTrue();
                      puppet.say(
                          TestVerdicts.doneBut(new Refused(0, ExitCode.EXISTS, "it is there")));
                      puppet.say(hearDone(puppet));
                      drain(puppet);
                    }))) {
      Cli.Result result = send(peer.address(), IN_BLOCKS);
      assertThat(result.err()).contains("refused there: it is there");
      assertThat(result.exitCode()).as(result.err()).isEqualTo(9);
    }
  }

  @Test
  void theReasonOfARefusalCannotMoveTheCursor() throws Exception {
    assertBetrayed(
        puppet -> {
          hear(puppet, FrameType.MANIFEST);
          puppet.say(
              new Done(
                  ExitCode.DESTINATION,
                  0,
                  0,
                  Level.NONE,
                  NO_DIGEST,
                  "no\u001b]0;space\u0007",
                  false));
          drain(puppet);
        },
        4,
        "the receiver gave up: no\\x1b]0;space\\x07");
  }

  @Test
  void bytesThatAlwaysArriveDamagedFailTheirFile() throws Exception {
    try (StrangePeer peer =
        new StrangePeer(
            socket ->
                betray(
                    socket,
                    puppet -> {
                      takeTheFile(puppet);
                      Frame next;
                      do {
                        puppet.say(TestVerdicts.doneBut(new Again(0, new Span(0, BYTES))));
                        next = takeUnit(puppet);
                        // An early last word, before the sender knows of the damage.
                        next = next instanceof Done ? takeUnit(puppet) : next;
                      } while (next.type() != FrameType.END);
                      puppet.say(TestVerdicts.done(1));
                      puppet.say(hear(puppet, FrameType.DONE));
                      drain(puppet);
                    }))) {
      Cli.Result result = send(peer.address(), IN_BLOCKS);
      assertThat(result.err()).contains(": arrived damaged 4 times");
      assertThat(result.exitCode()).as(result.err()).isEqualTo(7);
    }
  }

  @Test
  void aFrameUnderAnotherSealIsNotBelieved() throws Exception {
    assertBetrayed(
        puppet -> {
          hear(puppet, FrameType.MANIFEST);
          puppet.bytes(new byte[Limits.HEADER_BYTES], Limits.HEADER_BYTES);
          drain(puppet);
        },
        7,
        "");
  }

  @Test
  void aDamagedFrameOfTheReceiverCostsOneConnection() throws Exception {
    assertServedAtLast(
        socket ->
            betray(
                socket,
                puppet -> {
                  hear(puppet, FrameType.MANIFEST);
                  puppet.bytes(new byte[Limits.HEADER_BYTES], Limits.HEADER_BYTES);
                  drain(puppet);
                }));
  }

  /// Nobody has signed it: whoever can forge it could cut the connection as well.
  @ParameterizedTest
  @EnumSource(
      value = Welcome.class,
      names = {"BAD_KEY", "BUSY", "UNSUPPORTED"})
  void aRefusalOfAFurtherConnectionCostsAnAttempt(Welcome refusal) throws Exception {
    assertServedAtLast(
        socket -> betray(socket, puppet -> hear(puppet, FrameType.MANIFEST)),
        socket -> Puppet.receiver(socket, KEY, refusal));
  }

  /// A handshake may take 10 s; who lost a connection does not wait as long for the next.
  @Test
  @Timeout(11)
  void aStallStaysTheCauseWhereNoOtherConnectionComesUp() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (StrangePeer peer =
        new StrangePeer(
            socket -> {
              if (connections.getAndIncrement() == 0) {
                betray(socket, StrangeReceiversTest::drain);
              } else {
                drain(socket);
              }
            })) {
      Cli.Result result = sendWithRetries(peer.address(), "--retries=1", "--stall-timeout=2s");
      assertFailed(result, 5, "stalled: the receiver made no progress");
      assertThat(connections).hasValue(2);
    }
  }

  private void assertWantsBreak(long number, int files, String what) throws Exception {
    assertBetrayed(
        puppet -> {
          accept(puppet);
          hear(puppet, FrameType.PART);
          puppet.say(new Wants(number, Bytes.of(new byte[files])));
          drain(puppet);
        },
        8,
        what);
  }

  private void assertAnswerBreaks(Answer answer, String what) throws Exception {
    assertBetrayed(
        puppet -> {
          accept(puppet);
          hear(puppet, FrameType.OFFER);
          puppet.say(new Reply(List.of(answer)));
          drain(puppet);
        },
        8,
        what,
        IN_BLOCKS);
  }

  private static final Bytes NO_DIGEST = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);

  private static Bytes flipped(Bytes digest) {
    byte[] bytes = digest.bytes().clone();
    bytes[0] ^= 1;
    return Bytes.of(bytes);
  }

  private static Done done(long entries, long bytes, Bytes digest) {
    return new Done(ExitCode.OK, entries, bytes, Level.WIRE, digest, "", false);
  }

  private static Done hearDone(Puppet puppet) throws Exception {
    // What is said back is not early.
    Done said = (Done) hear(puppet, FrameType.DONE, true);
    return done(said.entries(), said.bytes(), said.digest());
  }

  private static void accept(Puppet puppet) throws Exception {
    hear(puppet, FrameType.MANIFEST);
    puppet.say(TestFrames.accept(Level.WIRE, 0, false, 4, 1 << 20, 16));
  }

  /// Takes the file in a part, or in a block if it is offered.
  private static void takeTheFile(Puppet puppet) throws Exception {
    accept(puppet);
    Frame asked = puppet.hear();
    if (asked.type() == FrameType.OFFER) {
      puppet.say(new Reply(List.of(ALL)));
    } else {
      want(puppet, asked, Want.BYTES);
    }
    takeUnit(puppet);
  }

  private static void want(Puppet puppet, Frame asked, Want want) throws Exception {
    Part look = (Part) asked;
    assertThat(look.isLook()).isTrue();
    puppet.say(Wants.of(look.firstId(), new Want[] {want}));
  }

  /// The next part or block, with its bytes and its trailer, or a frame that is neither.
  private static Frame takeUnit(Puppet puppet) throws Exception {
    Frame frame = puppet.hear();
    if (frame instanceof Part part) {
      puppet.take(part.rawBytes());
    } else if (frame instanceof Data data) {
      puppet.take(Math.toIntExact(data.block().length()));
      puppet.hear();
    }
    return frame;
  }

  private static Frame hear(Puppet puppet, FrameType until) throws Exception {
    return hear(puppet, until, false);
  }

  /// @param well whether each END on the way is acknowledged, as a unit of its own
  private static Frame hear(Puppet puppet, FrameType until, boolean well) throws Exception {
    Frame frame = takeUnit(puppet);
    while (frame.type() != until) {
      if (well && frame.type() == FrameType.END) {
        puppet.say(TestVerdicts.done(1));
      }
      frame = takeUnit(puppet);
    }
    return frame;
  }

  private static void drain(Puppet puppet) throws IOException {
    drain(puppet.socket());
  }

  private static void drain(Socket socket) throws IOException {
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  private static void betray(Socket socket, Treason treason) throws Exception {
    try (Puppet puppet = Puppet.receiver(socket, KEY)) {
      treason.play(puppet);
    }
  }

  private void assertBetrayed(Treason treason, int exitCode, String what) throws Exception {
    assertFails(socket -> betray(socket, treason), exitCode, what);
  }

  private void assertBetrayed(Treason treason, int exitCode, String what, String option)
      throws Exception {
    try (StrangePeer peer = new StrangePeer(socket -> betray(socket, treason))) {
      assertFailed(send(peer.address(), option), exitCode, what);
    }
  }

  /// @param service up to the last word, which is said back
  private void assertServed(Treason service, String... options) throws Exception {
    try (StrangePeer peer =
        new StrangePeer(
            socket ->
                betray(
                    socket,
                    puppet -> {
                      service.play(puppet);
                      puppet.say(hearDone(puppet));
                      drain(puppet);
                    }))) {
      assertThat(send(peer.address(), options))
          .as("surprise: %s", peer.surprise())
          .isEqualTo(new Cli.Result(0, "", ""));
    }
  }

  /// @param before what happens to the first connections
  private void assertServedAtLast(StrangePeer.Manners... before) throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (StrangePeer peer =
        new StrangePeer(
            socket -> {
              int connection = connections.getAndIncrement();
              if (connection < before.length) {
                before[connection].serve(socket);
                return;
              }
              betray(
                  socket,
                  puppet -> {
                    takeTheFile(puppet);
                    puppet.say(TestVerdicts.done(1));
                    puppet.say(hearDone(puppet));
                    drain(puppet);
                  });
            })) {
      assertThat(sendWithRetries(peer.address()))
          .as("surprise: %s", peer.surprise())
          .isEqualTo(new Cli.Result(0, "", ""));
      assertThat(connections).hasValue(before.length + 1);
    }
  }

  private void assertFails(StrangePeer.Manners manners, int exitCode, String what)
      throws Exception {
    try (StrangePeer peer = new StrangePeer(manners)) {
      assertFailed(send(peer.address()), exitCode, what);
    }
  }

  /// One line that says `what` of the receiver.
  private static void assertFailed(Cli.Result result, int exitCode, String what) {
    assertThat(result.err()).matches("zcp: 127\\.0\\.0\\.1:\\d+: [^\\n]*\\n").contains(what);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
  }

  /// One that does not connect again.
  private Cli.Result send(String address, String... options) {
    List<String> all = new ArrayList<>(List.of("--retries=0"));
    all.addAll(List.of(options));
    return sendWithRetries(address, all.toArray(String[]::new));
  }

  private Cli.Result sendWithRetries(String address, String... options) {
    List<String> all = new ArrayList<>(List.of("send", "-q", "--stall-timeout=3s"));
    all.addAll(List.of(options));
    all.addAll(List.of(address, file.toString()));
    return Cli.run(ENVIRONMENT, all.toArray(String[]::new));
  }
}

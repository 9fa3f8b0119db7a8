package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Puppet;
import dev.zcp.testing.StrangePeer;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Ack;
import dev.zcp.wire.Again;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Data;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Held;
import dev.zcp.wire.Level;
import dev.zcp.wire.Nack;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Welcome;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sender whose receiver is none, or a bad one: one line, the code that is documented, an end.
@Timeout(60)
class StrangeReceiversTest {

  private static final Key KEY = Key.random();
  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", KEY.text());
  private static final int BYTES = 5;
  private static final Answer ALL = Answer.of(0, Answer.Kind.ALL);

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
        socket -> Puppet.receiver(socket, KEY, Welcome.Status.BUSY),
        9,
        "the receiver serves another sender");
  }

  @Test
  void aReceiverThatKnowsNoNewSessionIsNoReceiver() throws Exception {
    assertFails(
        socket -> Puppet.receiver(socket, KEY, Welcome.Status.NO_SESSION),
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
  void beatsAloneAreNoProgress() throws Exception {
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

  @Test
  void anEndWithoutALastWordIsNoSuccess() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(new Ack(1));
          hear(puppet, FrameType.DONE);
          puppet.socket().shutdownOutput();
          drain(puppet);
        },
        5,
        "");
  }

  @Test
  void moreAcknowledgedThanWasSentBreaksTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(new Ack(2));
          drain(puppet);
        },
        8,
        "");
  }

  @Test
  void anAnswerToWhatWasNotOfferedBreaksTheProtocol() throws Exception {
    assertAnswerBreaks(Answer.of(7, Answer.Kind.ALL), "an answer for 7, which was not due");
  }

  @Test
  void anAnswerOfAnotherKindBreaksTheProtocol() throws Exception {
    assertAnswerBreaks(Answer.of(0, Answer.Kind.MADE), "MADE for 0");
    List<Held> beyond = List.of(new Held(new Span(0, BYTES + 1), 0));
    assertAnswerBreaks(Answer.rest(0, beyond), "REST for 0");
    assertAnswerBreaks(Answer.whole(0, beyond), "WHOLE for 0");
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
        "which was not due");
  }

  @Test
  void aFileThatWasNeverOfferedIsNotRefused() throws Exception {
    assertBetrayed(
        puppet -> {
          takeTheFile(puppet);
          puppet.say(new Nack(9, ExitCode.EXISTS, "no"));
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
          puppet.say(done(1, BYTES, 0));
          drain(puppet);
        },
        8,
        "the receiver's last word before all is over");
  }

  @Test
  void otherCountsAndAnotherDigestAreAFailureOfIntegrity() throws Exception {
    for (Done wrong : List.of(done(2, BYTES, 0), done(1, BYTES + 1, 0), done(1, BYTES, 1))) {
      assertBetrayed(
          puppet -> {
            takeTheFile(puppet);
            puppet.say(new Ack(1));
            hear(puppet, FrameType.DONE);
            puppet.say(wrong);
            drain(puppet);
          },
          7,
          "what arrived is not what was sent");
    }
  }

  @Test
  void theReasonOfARefusalCannotMoveTheCursor() throws Exception {
    assertBetrayed(
        puppet -> {
          hear(puppet, FrameType.MANIFEST);
          puppet.say(new Done(ExitCode.DESTINATION, 0, 0, digest(0), "no\u001b]0;space\u0007"));
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
                      for (int units = 1; units < 100; units++) {
                        puppet.say(new Again(0, new Span(0, BYTES)));
                        puppet.say(new Ack(units));
                        takeUnit(puppet);
                      }
                    }))) {
      Cli.Result result = send(peer.address());
      assertThat(result.err()).contains(": refused there: arrived damaged 4 times");
      assertThat(result.exitCode()).as(result.err()).isNotZero();
    }
  }

  @Test
  void aFrameUnderAnotherSealIsNotBelieved() throws Exception {
    assertBetrayed(
        puppet -> {
          puppet.bytes(new byte[56], 56);
          drain(puppet);
        },
        5,
        7,
        "");
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
        what);
  }

  private static Octets digest(int first) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) first;
    return Octets.of(bytes);
  }

  private static Done done(long entries, long bytes, int digest) {
    return new Done(ExitCode.OK, entries, bytes, digest(digest), "");
  }

  private static void accept(Puppet puppet) throws Exception {
    hear(puppet, FrameType.MANIFEST);
    puppet.say(new Accept(Level.WIRE, 0, false, 4, 1 << 20, 16));
  }

  private static void takeTheFile(Puppet puppet) throws Exception {
    accept(puppet);
    hear(puppet, FrameType.OFFER);
    puppet.say(new Reply(List.of(ALL)));
    takeUnit(puppet);
  }

  /// The next batch, with its bytes, or a frame that is none.
  private static Frame takeUnit(Puppet puppet) throws Exception {
    Frame frame = puppet.hear();
    if (frame instanceof Batch batch) {
      puppet.take(Math.toIntExact(batch.rawBytes()));
    } else if (frame instanceof Data data) {
      puppet.take(Math.toIntExact(data.block().length()));
    }
    return frame;
  }

  private static void hear(Puppet puppet, FrameType until) throws Exception {
    Frame frame = takeUnit(puppet);
    while (frame.type() != until) {
      frame = takeUnit(puppet);
    }
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

  private void assertBetrayed(Treason treason, int exitCode, int orElse, String what)
      throws Exception {
    try (StrangePeer peer = new StrangePeer(socket -> betray(socket, treason))) {
      assertFailed(send(peer.address()), List.of(exitCode, orElse), what);
    }
  }

  private void assertFails(StrangePeer.Manners manners, int exitCode, String what)
      throws Exception {
    try (StrangePeer peer = new StrangePeer(manners)) {
      assertFailed(send(peer.address()), List.of(exitCode), what);
    }
  }

  /// One line that says `what` of the receiver.
  private static void assertFailed(Cli.Result result, List<Integer> exitCodes, String what) {
    assertThat(result.err()).matches("zcp: 127\\.0\\.0\\.1:\\d+: [^\\n]*\\n").contains(what);
    assertThat(exitCodes).as(result.err()).contains(result.exitCode());
  }

  private Cli.Result send(String address) {
    return Cli.run(
        ENVIRONMENT, "send", "-q", "--stall-timeout=1s", "--retries=0", address, file.toString());
  }
}

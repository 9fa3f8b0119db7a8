package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.StrangePeer;
import dev.zcp.wire.Ack;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Data;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Nack;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sender whose receiver is none, or a bad one: one line, the code that is documented, an end.
@Timeout(60)
class StrangeReceiversTest {

  private static final Key KEY = Key.random();
  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", KEY.text());

  @TempDir Path folder;

  private Path file;

  /// What a bad receiver with the key does to a sender.
  @FunctionalInterface
  private interface Treason {
    void play(Puppet puppet) throws Exception;
  }

  @BeforeEach
  void writeAFile() throws IOException {
    file = Files.write(folder.resolve("file"), new byte[300_000]);
  }

  @Test
  void aServerOfHttpIsNamed() throws Exception {
    assertFails(
        socket -> answer(socket, "HTTP/1.1 400 Bad Request\r\n\r\n"),
        8,
        "the peer speaks HTTP, not zcp");
  }

  @Test
  void aServerOfTlsIsNamed() throws Exception {
    // A fatal alert, handshake_failure: RFC 8446, section 6.
    assertFails(
        socket -> answer(socket, "\u0015\u0003\u0003\u0000\u0002\u0002\u0028"),
        8,
        "the peer speaks TLS, not zcp");
  }

  @Test
  void randomBytesAreNoReceiver() throws Exception {
    long seed = new Random().nextLong();
    byte[] noise = new byte[4096];
    new Random(seed).nextBytes(noise);
    noise[0] = 'x';
    assertFails(
        socket -> answer(socket, new String(noise, StandardCharsets.ISO_8859_1)),
        8,
        "the peer speaks something else, not zcp");
  }

  @Test
  void aPeerThatClosesAtOnceIsNoReceiver() throws Exception {
    assertFails(
        socket -> {},
        8,
        "the peer closed the connection at once (is it a zcp receiver?)",
        "connection reset by peer",
        "connection reset");
  }

  @Test
  void anEchoIsNoReceiver() throws Exception {
    assertFails(
        socket -> socket.getInputStream().transferTo(socket.getOutputStream()),
        8,
        "the peer is no receiver");
  }

  @Test
  void aPeerThatSaysNothingIsGivenUp() throws Exception {
    assertFails(
        socket -> socket.getInputStream().readAllBytes(),
        5,
        "the peer said nothing that zcp would say within 10 s");
  }

  @Test
  void nobodyListensThere() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    Cli.Result result = send("127.0.0.1:" + port);
    assertThat(result.exitCode()).isEqualTo(5);
    assertThat(result.err())
        .isEqualTo(
            "zcp: 127.0.0.1:"
                + port
                + ": nobody listens there (start zcp receive on that side first)\n");
  }

  @Test
  void aReceiverThatNeverAnswersIsGivenUp() throws Exception {
    assertBetrayed(
        puppet -> hearAll(puppet, FrameType.ACK), 5, "stalled: the receiver made no progress");
  }

  /// Long enough for a beat, which comes every 5 s, to fall due while the last word is awaited.
  @Test
  void aReceiverThatNeverSaysGoodbyeIsGivenUpAfterBeatsAsWell() throws Exception {
    try (StrangePeer peer =
        new StrangePeer(socket -> betray(socket, puppet -> hearAll(puppet, FrameType.BEAT)))) {
      Cli.Result result = send(peer.address(), "--stall-timeout=7s");
      assertFailed(result, 5, "stalled: the receiver made no progress");
    }
  }

  @Test
  void aReceiverThatOnlyBeatsIsGivenUp() throws Exception {
    assertBetrayed(
        puppet -> {
          for (int beats = 0; beats < 50; beats++) {
            puppet.say(new Beat(0));
            Thread.sleep(200);
          }
        },
        5,
        "stalled: the receiver made no progress");
  }

  @Test
  void aReceiverThatStopsReadingIsGivenUp() throws Exception {
    Files.write(file, new byte[64 << 20]);
    assertBetrayed(_ -> Thread.sleep(10_000), 5, "stalled: the receiver made no progress");
  }

  /// The small frames of many files fill the socket too, with nobody in a block.
  @Test
  void aReceiverThatStopsReadingBetweenFilesIsGivenUp() throws Exception {
    Path many = Files.createDirectory(folder.resolve("many"));
    List<String> arguments = new ArrayList<>(List.of("send", "-q", "--stall-timeout=1s"));
    try (StrangePeer peer = new StrangePeer(socket -> betray(socket, _ -> Thread.sleep(20_000)))) {
      arguments.add(peer.address());
      // META and TRAILER of an empty file with so long a name are 416 bytes.
      for (int i = 0; i < 30_000; i++) {
        Path empty = many.resolve("x".repeat(240) + i);
        arguments.add(Files.createFile(empty).toString());
      }
      Cli.Result result = Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
      assertFailed(result, 5, "stalled: the receiver made no progress");
    }
  }

  @Test
  void aReceiverThatLeavesInTheMiddleIsMissed() throws Exception {
    Files.write(file, new byte[64 << 20]);
    assertBetrayed(
        puppet -> {
          puppet.hear();
          puppet.take(Math.toIntExact(((Data) puppet.hear()).block().length()) / 2);
        },
        5,
        "the receiver closed the connection before it had confirmed everything",
        "connection reset by peer",
        "connection reset",
        "broken pipe");
  }

  @Test
  void differentDigestsThereAreAFailureOfIntegrity() throws Exception {
    assertRefused(
        new Nack(0, ExitCode.INTEGRITY, "what was written differs"),
        7,
        "refused there: what was written differs");
  }

  @Test
  void theReasonOfARefusalCannotMoveTheCursor() throws Exception {
    assertRefused(
        new Nack(0, ExitCode.EXISTS, "\u001b[2J\r\nzcp: all is well\u202e\u0007"),
        9,
        "refused there: \\x1b[2J\\r\\nzcp: all is well\\u{202e}\\x07");
  }

  @Test
  void aGoodbyeWithAReasonIsShownEscaped() throws Exception {
    assertBetrayed(
        puppet -> {
          puppet.hear();
          puppet.say(new Done(ExitCode.DESTINATION, 0, 0, "no\u001b]0;space\u0007"));
          puppet.socket().getInputStream().transferTo(OutputStream.nullOutputStream());
        },
        4,
        "the receiver gave up: no\\x1b]0;space\\x07");
  }

  @Test
  void anAnswerToAFileThatWasNotAnnouncedBreaksTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          puppet.hear();
          puppet.say(new Ack(7, 300_000, true));
          Thread.sleep(500);
        },
        8,
        "ACK of a file that is not there to be acknowledged");
    assertBetrayed(
        puppet -> {
          puppet.hear();
          puppet.say(new Nack(1L << 31, ExitCode.EXISTS, ""));
          Thread.sleep(500);
        },
        8,
        "NACK of a file that is not there to be refused");
  }

  @Test
  void anAnswerBeforeTheFileHasEndedBreaksTheProtocol() throws Exception {
    Files.write(file, new byte[64 << 20]);
    assertBetrayed(
        puppet -> {
          puppet.hear();
          puppet.say(new Ack(0, 64 << 20, true));
          Thread.sleep(500);
        },
        8,
        "ACK of a file that is not there to be acknowledged");
  }

  @Test
  void twoAnswersToOneFileBreakTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          hearAll(puppet, FrameType.TRAILER);
          puppet.say(new Ack(0, 300_000, true));
          puppet.say(new Ack(0, 300_000, true));
          Thread.sleep(500);
        },
        8,
        "ACK of a file that is not there to be acknowledged");
  }

  @Test
  void anotherSizeThereBreaksTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          hearAll(puppet, FrameType.TRAILER);
          puppet.say(new Ack(0, 299_999, true));
          Thread.sleep(500);
        },
        8,
        "ACK of another size than was sent");
  }

  @Test
  void aGoodbyeThatLeavesFilesWithoutAnAnswerIsNoSuccess() throws Exception {
    assertBetrayed(
        puppet -> {
          hearAll(puppet, FrameType.DONE);
          puppet.say(new Done(ExitCode.OK, 0, 0, ""));
          Thread.sleep(500);
        },
        8,
        "DONE without a failure, and files without an answer");
  }

  @Test
  void framesOfASenderFromAReceiverBreakTheProtocol() throws Exception {
    assertBetrayed(
        puppet -> {
          puppet.meta(0, 1, 0644, new byte[] {'x'});
          Thread.sleep(500);
        },
        8,
        "META from the receiver in state");
  }

  @Test
  void aFrameUnderAnotherSealIsDamaged() throws Exception {
    assertBetrayed(
        puppet -> {
          byte[] forged = new byte[56];
          puppet.bytes(forged, forged.length);
          Thread.sleep(500);
        },
        7,
        "a frame's header is damaged: its check does not fit");
  }

  private void assertRefused(Nack nack, int exitCode, String what) throws Exception {
    try (StrangePeer peer =
        new StrangePeer(
            socket ->
                betray(
                    socket,
                    puppet -> {
                      hearAll(puppet, FrameType.TRAILER);
                      puppet.say(nack);
                      hearAll(puppet, FrameType.DONE);
                      puppet.say(new Done(nack.exitCode(), 0, 0, ""));
                    }))) {
      Cli.Result result = send(peer.address());
      assertThat(result.err()).isEqualTo("zcp: " + file + ": " + what + "\n");
      assertThat(result.exitCode()).isEqualTo(exitCode);
    }
  }

  private void assertBetrayed(Treason treason, int exitCode, String... whats) throws Exception {
    assertFails(socket -> betray(socket, treason), exitCode, whats);
  }

  private static void betray(Socket socket, Treason treason) throws Exception {
    try (Puppet puppet = Puppet.receiver(socket, KEY)) {
      treason.play(puppet);
    }
  }

  /// Takes everything up to the first frame of the type `until`, or to the sender's end.
  private static void hearAll(Puppet puppet, FrameType until) throws Exception {
    Frame frame = puppet.hear();
    while (frame.type() != until) {
      if (frame instanceof Data data) {
        puppet.take(Math.toIntExact(data.block().length()));
      }
      frame = puppet.hear();
    }
  }

  private void assertFails(StrangePeer.Manners manners, int exitCode, String... whats)
      throws Exception {
    try (StrangePeer peer = new StrangePeer(manners)) {
      Cli.Result result = send(peer.address(), "--stall-timeout=1s");
      assertFailed(result, exitCode, whats);
    }
  }

  /// One line that says one of `whats` of the receiver.
  private static void assertFailed(Cli.Result result, int exitCode, String... whats) {
    String[] wanted = new String[whats.length];
    for (int i = 0; i < whats.length; i++) {
      wanted[i] = ": " + whats[i];
    }
    assertThat(result.err()).matches("(?s)zcp: 127\\.0\\.0\\.1:\\d+: [^\\n]*\\n");
    assertThat(List.of(wanted)).as(result.err()).anyMatch(result.err()::contains);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
  }

  private Cli.Result send(String address, String... options) {
    List<String> arguments = new ArrayList<>(List.of("send", "-q"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of(address, file.toString()));
    return Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
  }

  private static void answer(Socket socket, String latin1) throws IOException {
    socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
    socket.shutdownOutput();
    InputStream in = socket.getInputStream();
    in.transferTo(OutputStream.nullOutputStream());
  }
}

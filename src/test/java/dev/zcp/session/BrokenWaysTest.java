package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FaultProxy;
import dev.zcp.testing.FaultProxy.Fault;
import dev.zcp.testing.FaultProxy.Way;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One thing happens to one byte between a sender and a receiver, at the edges of frames and
/// anywhere, and the sender does not connect anew. Whatever it is: a final name is absent or
/// complete, 0 means complete, nothing stays but what the same command goes on from, and that
/// succeeds afterwards.
@Timeout(180)
class BrokenWaysTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// Two hellos' and proofs' worth, and a file of three blocks or so.
  private static final int FILE_BYTES = 3 << 20;

  /// The ends of HELLO, PROOF, MANIFEST's header, payload and MAC, the header of OFFER, and one
  /// byte before each.
  private static final long[] SENDER_EDGES = {0, 1, 71, 72, 103, 104, 127, 128, 159, 176, 199, 200};

  /// The ends of HELLO, WELCOME's status and proof, ACCEPT's header and payload, and what follows.
  private static final long[] RECEIVER_EDGES = {0, 1, 71, 72, 73, 104, 105, 128, 129, 153, 161};

  @TempDir static Path home;

  private static final byte[] CONTENT = new byte[FILE_BYTES];
  private static Path inbox;
  private static Path file;
  private static ZcpProcess receiver;
  private static int port;

  @BeforeAll
  static void startTheReceiver() throws IOException {
    new Random(2).nextBytes(CONTENT);
    inbox = Files.createDirectory(home.resolve("inbox"));
    file = Files.write(home.resolve("file"), CONTENT);
    receiver =
        ZcpProcess.start(
            home,
            ENVIRONMENT,
            "receive",
            "--listen=127.0.0.1:0",
            "--stall-timeout=2s",
            inbox.toString());
    port = receiver.port();
  }

  @AfterAll
  static void stopTheReceiver() throws Exception {
    receiver.signal("TERM");
    Cli.Result result = receiver.end();
    receiver.close();
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
  }

  @Test
  void aConnectionThatIsCut() throws Exception {
    survive(Fault.CUT, 5, List.of(5, 8));
  }

  @Test
  void aConnectionThatIsReset() throws Exception {
    survive(Fault.RESET, 5, List.of(5, 8));
  }

  /// Before the proof of the key a bit may be of anything; after it, of the bytes or the frames.
  @Test
  void aBitThatFlips() throws Exception {
    survive(Fault.FLIP, 12, List.of(5, 6, 7, 8));
  }

  /// At a few places only: each costs two seconds, or ten before the proof.
  @Test
  void aConnectionThatStalls() throws Exception {
    Random random = new Random();
    long offset = 212 + random.nextInt(FILE_BYTES);
    assertSurvived(Fault.STALL, Way.TO_RECEIVER, offset, List.of(5));
    assertSurvived(Fault.STALL, Way.TO_RECEIVER, FILE_BYTES, List.of(5));
    assertSurvived(Fault.STALL, Way.TO_SENDER, 105, List.of(5));
    assertSurvived(Fault.STALL, Way.TO_SENDER, 130, List.of(5));
  }

  private static void survive(Fault fault, int randomOffsets, List<Integer> exitCodes)
      throws Exception {
    // Each failure names its offset, which is all that chance decides.
    Random random = new Random();
    for (long edge : SENDER_EDGES) {
      assertSurvived(fault, Way.TO_RECEIVER, edge, exitCodes);
    }
    for (long edge : RECEIVER_EDGES) {
      assertSurvived(fault, Way.TO_SENDER, edge, exitCodes);
    }
    for (int i = 0; i < randomOffsets; i++) {
      // The trailers and the goodbye come after the file's bytes.
      int offset = random.nextInt(FILE_BYTES + 600);
      assertSurvived(fault, Way.TO_RECEIVER, offset, exitCodes);
      assertSurvived(fault, Way.TO_RECEIVER, FILE_BYTES + random.nextInt(600), exitCodes);
      assertSurvived(fault, Way.TO_SENDER, random.nextInt(240), exitCodes);
    }
  }

  private static void assertSurvived(Fault fault, Way way, long offset, List<Integer> exitCodes)
      throws Exception {
    String what = fault + " " + way + " at " + offset;
    Cli.Result result;
    try (FaultProxy proxy = new FaultProxy(port, way, offset, fault)) {
      result = send(proxy.port(), "--stall-timeout=2s", "--retries=0");
    }
    assertThat(result.err()).as(what).doesNotContain("\tat ");
    // What arrives damaged is sent again, over the same connection.
    if (way == Way.TO_RECEIVER && offset < FILE_BYTES && fault != Fault.FLIP) {
      assertThat(result.exitCode()).as(what + ", in the middle").isNotZero();
    }
    if (result.exitCode() == 0) {
      assertThat(result.err()).as(what).isEmpty();
      assertThat(inbox.resolve("file")).as(what).exists();
    } else {
      assertThat(result.err()).as(what).matches("zcp: [^\n]*\n");
      assertThat(exitCodes).as(what + ": " + result.err()).contains(result.exitCode());
    }
    if (Files.deleteIfExists(copyIfWhole(what))) {
      assertThat(held()).as("after " + what).isEmpty();
      return;
    }
    assertThat(sendOnceItIsFree()).as("after " + what).isEqualTo(new Cli.Result(0, "", ""));
    Files.delete(copyIfWhole(what));
    assertThat(held()).as("in the end, after " + what).isEmpty();
  }

  /// The received file, which need not be there, but must be whole where it is.
  private static Path copyIfWhole(String what) throws IOException {
    Path copy = inbox.resolve("file");
    if (Files.exists(copy)) {
      FileContent.assertHolds(copy, CONTENT, what);
    }
    return copy;
  }

  /// Sends once the receiver has noticed that the connection before is gone.
  private static Cli.Result sendOnceItIsFree() throws InterruptedException {
    Cli.Result result = send(port);
    for (int tries = 0; tries < 600 && result.exitCode() == ExitCode.EXISTS.number(); tries++) {
      Thread.sleep(100);
      result = send(port);
    }
    return result;
  }

  private static List<Path> held() throws IOException {
    try (Stream<Path> files = Files.list(inbox)) {
      return files.toList();
    }
  }

  private static Cli.Result send(int to, String... options) {
    List<String> arguments = new ArrayList<>(List.of("send", "-q"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("127.0.0.1:" + to, file.toString()));
    return Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
  }
}

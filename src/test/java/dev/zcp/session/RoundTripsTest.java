package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.SlowWay;
import dev.zcp.testing.ZcpProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How often a sender waits for its receiver, from its hello to the last word. What it says is
/// counted and not timed; the way is so long that nothing which needs no answer waits for one.
///
/// On a busy machine something may wait all the same, and is counted as an answer. It never makes
/// the count less. So a count that is too large is taken again, over a way that is longer.
@Timeout(300)
class RoundTripsTest {

  /// The hellos, the offers, the bytes. The first one of a session is TCP's, which nobody sees
  /// here.
  private static final int USUAL = 3;

  /// One way, in the order in which they are tried. Over a way of 4 s a handshake takes too long.
  private static final List<Long> DELAYS_MS = List.of(250L, 1000L, 2000L);

  @TempDir Path folder;

  @Test
  void aSmallFileTakesThree() throws Exception {
    Files.write(folder.resolve("source"), new byte[1000]);
    assertRoundTrips(USUAL, "source", "-q");
  }

  @Test
  void manySmallFilesTakeNoMore() throws Exception {
    Path source = Files.createDirectory(folder.resolve("source"));
    for (int i = 0; i < 500; i++) {
      Files.write(source.resolve("f" + i), new byte[100]);
    }
    assertRoundTrips(USUAL, "source/.", "-r");
  }

  @Test
  void aDeepTreeTakesNoMore() throws Exception {
    grow();
    assertRoundTrips(USUAL, "source", "-r");
  }

  @Test
  void norDoesOneOfWhichAllIsKept() throws Exception {
    grow();
    assertRoundTrips(USUAL, "source", "-a");
  }

  @Test
  void norDoesATreeThatIsThere() throws Exception {
    grow();
    for (int i = 0; i < DELAYS_MS.size(); i++) {
      Files.createDirectories(inbox(i).resolve("source/one/two/three"));
    }
    assertRoundTrips(USUAL, "source", "-r");
  }

  /// Directories are over once it is known that what is there is the same.
  @Test
  void aTreeWhoseFilesAreThereTakesOneMore() throws Exception {
    grow();
    for (int i = 0; i < DELAYS_MS.size(); i++) {
      Cli.run(Map.of(), "copy", "-a", folder.resolve("source").toString(), inbox(i).toString());
    }
    assertRoundTrips(USUAL + 1, "source", "-r");
  }

  /// A file in blocks is looked at again once all of them has arrived.
  @Test
  void aFileInBlocksTakesOneMore() throws Exception {
    Files.write(folder.resolve("source"), new byte[1 << 20]);
    assertRoundTrips(USUAL + 1, "source", "-q");
  }

  private void grow() throws Exception {
    Path deepest = Files.createDirectories(folder.resolve("source/one/two/three"));
    for (Path each = deepest; !each.equals(folder); each = each.getParent()) {
      Files.write(each.resolve("file"), new byte[100]);
    }
  }

  private Path inbox(int i) throws Exception {
    return Files.createDirectories(folder.resolve("inbox" + i));
  }

  private void assertRoundTrips(int expected, String source, String option) throws Exception {
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < DELAYS_MS.size() && least > expected; i++) {
      long delayNs = TimeUnit.MILLISECONDS.toNanos(DELAYS_MS.get(i));
      least = Math.min(least, roundTrips(source, option, inbox(i), delayNs));
    }
    assertThat(least).isEqualTo(expected);
  }

  private int roundTrips(String source, String option, Path inbox, long delayNs) throws Exception {
    Map<String, String> environment = Map.of("ZCP_KEY", Key.random().text());
    String operand = folder.resolve(source).toString();
    try (ZcpProcess receiver =
        ZcpProcess.start(
            folder,
            environment,
            "receive",
            "-q",
            "--once",
            "--accept=all",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      String address = receiver.address();
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (SlowWay way = new SlowWay(port, delayNs)) {
        Cli.Result sent =
            Cli.run(environment, "send", "-q", option, "127.0.0.1:" + way.port(), operand);
        assertThat(sent).isEqualTo(new Cli.Result(0, "", ""));
        assertThat(receiver.end().exitCode()).isZero();
        return way.roundTrips();
      }
    }
  }
}

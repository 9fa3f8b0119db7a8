package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FaultProxy;
import dev.zcp.testing.FaultProxy.Fault;
import dev.zcp.testing.FaultProxy.Way;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections of a session go down, each in its own way, and the session goes on over others.
@Timeout(120)
class LostConnectionsTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  private static final int LARGE_BYTES = 20 << 20;

  @TempDir Path home;

  private Path tree;
  private Path inbox;
  private ZcpProcess receiver;
  private int port;

  @BeforeEach
  void plantTheTreeAndStartTheReceiver() throws IOException {
    tree = Files.createDirectory(home.resolve("tree"));
    inbox = Files.createDirectory(home.resolve("inbox"));
    Random random = new Random(3);
    byte[] large = new byte[LARGE_BYTES];
    random.nextBytes(large);
    Files.write(tree.resolve("large"), large);
    for (int i = 0; i < 5; i++) {
      Path folder = Files.createDirectory(tree.resolve("folder" + i));
      for (int j = 0; j < 40; j++) {
        byte[] small = new byte[random.nextInt(4000)];
        random.nextBytes(small);
        Files.write(folder.resolve("file" + j), small);
      }
    }
    receiver =
        ZcpProcess.start(
            home,
            ENVIRONMENT,
            "receive",
            "--listen=127.0.0.1:0",
            "--stall-timeout=6s",
            inbox.toString());
    port = receiver.port();
  }

  @AfterEach
  void stopTheReceiver() throws Exception {
    receiver.signal("TERM");
    Cli.Result result = receiver.end();
    receiver.close();
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
  }

  private static Cli.Result send(int to, String... options) {
    List<String> arguments = new ArrayList<>(List.of("send", "-q", "-r", "--stall-timeout=3s"));
    arguments.addAll(List.of(options));
    return Cli.run(ENVIRONMENT, arguments.toArray(String[]::new));
  }

  private void assertMended(Way way, Fault fault, int times, long offset, String... options)
      throws Exception {
    String what = fault + " " + way + " at " + offset;
    Cli.Result result;
    try (FaultProxy proxy = new FaultProxy(port, way, seen -> offset, fault, times)) {
      List<String> all = new ArrayList<>(List.of(options));
      all.add("127.0.0.1:" + proxy.port());
      all.add(tree.toString());
      result = send(proxy.port(), all.toArray(String[]::new));
      assertThat(proxy.hasHappened()).as(what).isTrue();
    }
    assertThat(result.exitCode()).as(what + ": " + result.err()).isZero();
    assertThat(result.err()).as(what).isEmpty();
    assertThat(contents(inbox.resolve("tree"))).as(what).isEqualTo(contents(tree));
  }

  /// The digests of all files below `root`, by their names.
  private static Map<String, Long> contents(Path root) throws IOException {
    Map<String, Long> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(path));
        contents.put(root.relativize(path).toString(), crc.getValue());
      }
    }
    return contents;
  }

  @Test
  void aConnectionThatIsCutIsReplaced() throws Exception {
    assertMended(Way.TO_RECEIVER, Fault.CUT, 1, 5_000_000);
  }

  @Test
  void severalThatAreResetOneAfterTheOtherAreReplaced() throws Exception {
    assertMended(Way.TO_RECEIVER, Fault.RESET, 3, 6_000_000);
  }

  @Test
  void oneThatStallsIsDroppedAndItsBlocksGoElsewhere() throws Exception {
    assertMended(Way.TO_RECEIVER, Fault.STALL, 1, 3_000_000, "--connections=2");
  }

  @Test
  void oneThatFallsSilentTowardsTheSenderIsDropped() throws Exception {
    assertMended(Way.TO_SENDER, Fault.STALL, 1, 1_500);
  }

  @Test
  void allOfFourThatAreCutAreReplaced() throws Exception {
    assertMended(Way.TO_RECEIVER, Fault.CUT, 4, 1_000_000, "--connections=4");
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000, 60_000, 200_000})
  void smallFilesGoAgainWithoutDigestsToo(long offset) throws Exception {
    assertMended(Way.TO_RECEIVER, Fault.CUT, 1, offset, "--verify=none");
  }

  @Test
  void oneThatIsCutBeforeTheTermsIsReplaced() throws Exception {
    assertMended(Way.TO_RECEIVER, Fault.CUT, 1, 110);
  }

  @Test
  void withoutRetriesTheFirstLossEndsTheSessionAndTellsWhatIsKept() throws Exception {
    Cli.Result result;
    try (FaultProxy proxy =
        new FaultProxy(port, Way.TO_RECEIVER, seen -> 9_000_000, Fault.CUT, 1)) {
      result =
          send(
              proxy.port(),
              "--retries=0",
              "--limit-rate=40M",
              "127.0.0.1:" + proxy.port(),
              tree.toString());
    }

    assertThat(result.exitCode()).isEqualTo(5);
    assertThat(result.err())
        .containsPattern(
            "[MK]iB had arrived and are kept; the same command again sends the rest"
                + "|nothing new had arrived; run the same command again");
  }
}

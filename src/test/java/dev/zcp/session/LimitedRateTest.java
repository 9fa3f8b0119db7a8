package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a limit of the rate does to a session, at either end. Who is slow since it was told to be
/// is not taken for stalled.
@Timeout(60)
class LimitedRateTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// An end that lives says so every second, so whoever has no more patience than that may lose it
  /// by chance.
  private static final String PATIENCE = "--stall-timeout=3s";

  private static final String RATE = "--limit-rate=16K";

  /// What takes more than twice the patience at the rate, and goes in one part.
  private static final int BYTES = 112 << 10;

  @TempDir Path home;

  private Path source;
  private Path inbox;

  @BeforeEach
  void makeBothEnds() throws Exception {
    source = home.resolve("source");
    inbox = Files.createDirectory(home.resolve("inbox"));
  }

  @Test
  void aReceiverThatTakesItsTimeIsNotTakenForStalled() throws Exception {
    Files.write(source, new byte[BYTES]);
    try (ZcpProcess receiver = receive(RATE)) {
      assertThat(send(receiver, "-q", PATIENCE, "--retries=0"))
          .isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(inbox.resolve("source")).hasBinaryContent(new byte[BYTES]);
  }

  @Test
  void aPartThatTakesLongerThanAPeerMayIsNoStall() throws Exception {
    Files.write(source, new byte[BYTES]);
    try (ZcpProcess receiver = receive(PATIENCE)) {
      assertThat(send(receiver, "-q", PATIENCE, "--retries=0", RATE))
          .isEqualTo(new Cli.Result(0, "", ""));
    }
    assertThat(inbox.resolve("source")).hasBinaryContent(new byte[BYTES]);
  }

  /// What is this long would begin with two otherwise, and more of them could only share the rate.
  @Test
  void aLimitedRateGoesOverOneConnection() throws Exception {
    try (RandomAccessFile holes = new RandomAccessFile(source.toFile(), "rw")) {
      holes.setLength(256L << 20);
      holes.write(new byte[4 << 20]);
    }
    try (ZcpProcess receiver = receive("-q")) {
      Cli.Result result = send(receiver, "--json", "--limit-rate=4M");
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(result.out()).contains("\"connections\":1,");
    }
  }

  private ZcpProcess receive(String option) throws Exception {
    return ZcpProcess.start(
        home, ENVIRONMENT, "receive", "--once", "--listen=127.0.0.1:0", option, inbox.toString());
  }

  private Cli.Result send(ZcpProcess receiver, String... options) throws Exception {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "send";
    System.arraycopy(options, 0, arguments, 1, options.length);
    arguments[options.length + 1] = receiver.line();
    arguments[options.length + 2] = source.toString();
    return Cli.run(ENVIRONMENT, arguments);
  }
}

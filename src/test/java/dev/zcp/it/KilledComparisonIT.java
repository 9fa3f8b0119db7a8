package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sender is killed while the receiver reads a file that is there already and may be the one that
/// was offered. strace(1) makes the reading take long.
@Timeout(120)
class KilledComparisonIT {

  /// 256 pieces, each of which is one call.
  private static final int BYTES = 64 << 20;

  /// Some 20 s in all.
  private static final int SLOW_MICROS = 80_000;

  /// Longer than anybody waits here.
  private static final int TOO_SLOW_MICROS = 1_000_000;

  @TempDir Path folder;

  private Path source;
  private Path inbox;
  private Path whole;

  @BeforeEach
  void copy() throws Exception {
    Programs.assume("strace");
    source = Files.write(folder.resolve("whole"), new byte[BYTES]);
    inbox = Files.createDirectory(folder.resolve("inbox"));
    whole = Files.copy(source, inbox.resolve("whole"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  @Test
  void theSameCommandGoesOnAndNothingIsLeft() throws Exception {
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            reading(SLOW_MICROS),
            "receive",
            "-q",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      killOneThatIsCompared(receiver);
      try (BuiltZcp again = send(receiver)) {
        assertThat(again.end()).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      }
      assertNothingIsLeft(receiver);
    }
  }

  @Test
  void ifNobodyComesBackTheReadingEndsWithTheSession() throws Exception {
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            reading(TOO_SLOW_MICROS),
            "receive",
            "-q",
            "--once",
            "--stall-timeout=2s",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      killOneThatIsCompared(receiver);
      assertThat(receiver.end().exitCode()).isEqualTo(5);
      assertNothingIsLeft(receiver);
    }
  }

  private static List<String> reading(int micros) {
    String fault = "inject=pread64:delay_enter=" + micros;
    return List.of("strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=pread64", "-e", fault);
  }

  private void killOneThatIsCompared(BuiltZcp receiver) throws Exception {
    try (BuiltZcp sender = send(receiver)) {
      receiver.await("the comparison", () -> receiver.hasOpenBelow(whole));
      sender.signal("KILL");
      assertThat(sender.end().exitCode()).isEqualTo(137);
    }
  }

  private BuiltZcp send(BuiltZcp receiver) throws Exception {
    return BuiltZcp.start(
        folder, "send", "-q", "--retries=0", receiver.firstLine(), source.toString());
  }

  private void assertNothingIsLeft(BuiltZcp receiver) throws Exception {
    assertThat(receiver.isAlive() && receiver.hasOpenBelow(whole)).isFalse();
    try (Stream<Path> names = Files.list(inbox)) {
      assertThat(names).containsExactly(whole);
    }
  }
}

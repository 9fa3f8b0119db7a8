package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How many threads a session takes, as the kernel counts them. Those of the JVM have other names.
@Timeout(120)
class SessionThreadsIT {

  /// Two for each of two connections, the ticker, the one that prints, the one that waits for
  /// signals, and two that write small files, or digest large ones.
  private static final int ZCP_THREADS_MAX = 9;

  /// On more processors a receiver has more of those that write small files.
  private static final String PLACE = "zcp-place";

  private static final List<String> OF_TWO_CONNECTIONS =
      List.of("zcp-read-0", "zcp-read-1", "zcp-write-0", "zcp-write-1", "zcp-ticker");

  private static final int LARGE_BYTES = 40 << 20;
  private static final int SMALL_FILES = 300;
  private static final int LOOKS = 100;
  private static final long LOOK_MS = 20;

  @TempDir Path folder;

  @Test
  void aSessionOfTwoConnectionsTakesFewThreads() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    byte[] content = new byte[LARGE_BYTES];
    new Random(1).nextBytes(content);
    Files.write(tree.resolve("large"), content);
    for (int i = 0; i < SMALL_FILES; i++) {
      Files.write(tree.resolve("small-" + i), new byte[i]);
    }
    try (BuiltZcp receiver =
            BuiltZcp.start(folder, "receive", "--once", "--listen=127.0.0.1:0", inbox.toString());
        BuiltZcp sender =
            BuiltZcp.start(
                folder,
                "send",
                "-r",
                "--connections=2",
                "--limit-rate=8M",
                "127.0.0.1:" + receiver.port(),
                tree.toString())) {
      for (BuiltZcp each : List.of(sender, receiver)) {
        each.await("two connections", () -> each.threads().containsAll(OF_TWO_CONNECTIONS));
      }
      sender.await("enough connections", () -> !sender.threads().contains("zcp-connect"));
      // At the rate there are seconds from then to the end.
      int looks = 0;
      while (looks < LOOKS && TreeContent.partialBytes(inbox.resolve("tree")) < LARGE_BYTES / 2) {
        assertFew(sender.threads());
        assertFew(receiver.threads());
        looks++;
        Thread.sleep(LOOK_MS);
      }
      assertThat(looks).isPositive();
      assertThat(sender.end().exitCode()).as(sender.end().err()).isZero();
      assertThat(receiver.end().exitCode()).as(receiver.end().err()).isZero();
    }
  }

  private static void assertFew(List<String> all) {
    List<String> zcp = all.stream().filter(name -> name.startsWith("zcp-")).toList();
    long places = zcp.stream().filter(PLACE::equals).count();
    long others = zcp.size() - places;
    assertThat(others + Math.min(2, places)).as("%s", zcp).isLessThanOrEqualTo(ZCP_THREADS_MAX);
    assertThat(zcp).containsAll(OF_TWO_CONNECTIONS);
  }
}

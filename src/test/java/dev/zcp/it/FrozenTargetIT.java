package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Writes to a frozen file system wait in the kernel: fsfreeze(8). So do those to a hard-mounted
/// NFS whose server is away.
class FrozenTargetIT {

  private static final String PATIENCE = "--stall-timeout=4s";

  /// Twice as long as either end has patience, and more.
  private static final long FROZEN_S = 10;

  @TempDir Path folder;

  /// In a file the thread that reads the connection waits, among small ones those that place them.
  @ParameterizedTest
  @CsvSource({"1, 16777216", "1024, 16384"})
  @Timeout(120)
  void aFrozenTargetEndsNothing(int files, int bytes) throws Exception {
    assumeTrue(Programs.isInstalled("fsfreeze"), "no fsfreeze (Debian: util-linux)");
    Path tree = Files.createDirectory(folder.resolve("tree"));
    for (int i = 0; i < files; i++) {
      Files.write(tree.resolve("f" + i), new byte[bytes]);
    }
    try (Mounted target = Mounted.inFile(folder, "ext4", "64M");
        BuiltZcp receiver =
            BuiltZcp.start(
                folder,
                "receive",
                "-q",
                "--once",
                PATIENCE,
                "--listen=127.0.0.1:0",
                target.path().toString())) {
      String url = receiver.firstLine();
      try (BuiltZcp sender =
          BuiltZcp.start(
              folder, "send", "-qr", PATIENCE, "--limit-rate=4M", url, tree.toString())) {
        sender.await("something there", () -> Files.exists(target.path().resolve("tree")));
        Programs.run("fsfreeze", "-f", target.path().toString());
        try {
          TimeUnit.SECONDS.sleep(FROZEN_S);
        } finally {
          Programs.run("fsfreeze", "-u", target.path().toString());
        }
        assertThat(sender.end()).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      }
      assertThat(receiver.end().exitCode()).isZero();
      assertThat(target.path().resolve("tree/f" + (files - 1))).hasSize(bytes);
    }
  }
}

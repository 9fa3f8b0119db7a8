package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Plain copies of large files, each by a process that has bound no system call yet.
@Timeout(120)
class PlainLargeFilesTest {

  private static final long MIB = 1 << 20;

  @TempDir Path folder;

  private Path source;
  private Path target;

  @BeforeEach
  void name() {
    source = folder.resolve("source");
    target = folder.resolve("target");
  }

  /// The holes at the start are copied before anybody can know of them.
  @ParameterizedTest
  @CsvSource({
    "auto, 64",
    "auto, 300",
    "auto, 1500",
    "direct, 70",
    "transferTo, 70",
    "mmap, 70",
    "splice, 70"
  })
  void holesStayHoles(String strategy, long mib) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      file.setLength(mib * MIB);
      for (long at = mib / 3; at < mib; at += mib / 5) {
        file.seek(at * MIB + 4096 * 3);
        file.write("some data".getBytes());
      }
    }
    assumeTrue(blocks(source) * 512 < MIB, "this file system keeps no holes");

    copy(strategy);

    assertThat(Files.mismatch(source, target)).isEqualTo(-1);
    assertThat(blocks(target)).isLessThanOrEqualTo(blocks(source));
  }

  @ParameterizedTest
  @ValueSource(longs = {64 * MIB, 64 * MIB + 1, 200 * MIB + 4097})
  void aFileWithoutHolesArrivesWhole(long bytes) throws Exception {
    Random random = new Random(bytes);
    byte[] block = new byte[(int) MIB];
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      for (long at = 0; at < bytes; at += MIB) {
        random.nextBytes(block);
        file.write(block, 0, (int) Math.min(MIB, bytes - at));
      }
    }

    copy("auto");

    assertThat(Files.mismatch(source, target)).isEqualTo(-1);
  }

  private void copy(String strategy) throws IOException, InterruptedException {
    try (ZcpProcess zcp =
        ZcpProcess.start(
            folder, Map.of(), "copy", "-q", "--strategy=" + strategy, "source", "target")) {
      assertThat(zcp.end()).isEqualTo(new Cli.Result(0, "", ""));
    }
  }

  /// `st_blocks`.
  private long blocks(Path path) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(folder))) {
      return directory.statusOf(RawPath.of(path).lastComponent()).blocks();
    }
  }
}

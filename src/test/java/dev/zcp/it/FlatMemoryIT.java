package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a copy of a tree keeps in memory does not grow with the number of files. `bench/trees
/// --footprint` says how much it is, for a million.
class FlatMemoryIT {

  /// So many that the JVM has taken all of the heap for new objects that it will: that alone grows
  /// with the first files.
  private static final int FEW = 100_000;

  private static final int MANY = 500_000;

  private static final long POLL_NS = 1_000_000;

  /// The names of four hundred thousand more files would take 25 MiB: an array of some 32 bytes
  /// each, and as much again for its place in a list. Runs of the same copy differ by up to 12.
  private static final long GROWTH_BYTES_MAX = 18L << 20;

  private Path folder;

  /// In memory, since a disk would take minutes for this many files.
  @BeforeEach
  void makeFolder() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "no /dev/shm to make so many files in");
    folder = Files.createTempDirectory(memory, "zcp-flat-memory-it");
  }

  @AfterEach
  void remove() throws IOException {
    if (folder != null) {
      Programs.run("rm", "-rf", folder.toString());
    }
  }

  @Test
  void memoryDoesNotGrowWithTheFilesOfADirectory() throws Exception {
    assertFlat(1);
  }

  @Test
  void memoryDoesNotGrowWithTheFilesOfManyDirectories() throws Exception {
    assertFlat(1_000);
  }

  private void assertFlat(int directories) throws Exception {
    long fewBytes = peakOf(FEW, directories);
    long manyBytes = peakOf(MANY, directories);
    System.out.printf(
        "FlatMemoryIT: %d KiB for %d files, %d KiB for %d, in %d directories%n",
        fewBytes >> 10, FEW, manyBytes >> 10, MANY, directories);
    assertThat(manyBytes - fewBytes).isLessThan(GROWTH_BYTES_MAX);
  }

  private long peakOf(int files, int directories) throws Exception {
    Path source = Files.createDirectory(folder.resolve("source-" + files));
    Path target = folder.resolve("target-" + files);
    for (int i = 0; i < directories; i++) {
      Path directory = Files.createDirectory(source.resolve("d" + i));
      for (int j = 0; j < files / directories; j++) {
        Files.createFile(directory.resolve("file-" + j));
      }
    }
    long peakBytes = 0;
    try (BuiltZcp zcp =
        BuiltZcp.start(folder, "copy", "-a", "-q", source.toString(), target.toString())) {
      while (zcp.isAlive()) {
        peakBytes = Math.max(peakBytes, peakOr(zcp, 0));
        LockSupport.parkNanos(POLL_NS);
      }
      assertThat(zcp.end()).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    }
    assertThat(Programs.run("sh", "-c", "find \"$1\" -type f | wc -l", "sh", target.toString()))
        .isEqualTo(String.valueOf(files));
    Programs.run("rm", "-rf", source.toString(), target.toString());
    return peakBytes;
  }

  /// A process that has ended but was not waited for has no memory, and no figure for it.
  private static long peakOr(BuiltZcp zcp, long otherwise) {
    try {
      return zcp.residentBytesMax();
    } catch (IOException e) {
      return otherwise;
    }
  }
}

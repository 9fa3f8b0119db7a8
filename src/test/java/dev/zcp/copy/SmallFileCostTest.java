package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.zcp.testing.Cli;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a small file of a new tree costs in objects. A copy runs under the first compiler, which
/// makes every one of them.
class SmallFileCostTest {

  private static final int FEW = 2000;
  private static final int MANY = 12_000;
  private static final int TURNS_MAX = 12;

  /// Its name, its entry, two files and the status of one, a hidden name, and its share of what is
  /// made for a batch, a directory and the books of the latencies.
  private static final int BYTES_MAX = 450;

  private static final int BYTES_MIN = 100;

  @TempDir Path dir;

  @Test
  void aSmallFileMakesFewObjects() throws IOException {
    Path few = makeTree("few", FEW);
    Path many = makeTree("many", MANY);
    long fewBytes = Long.MAX_VALUE;
    long manyBytes = Long.MAX_VALUE;
    long fileBytes = Long.MAX_VALUE;
    // The least of several turns is what nothing else in this process has added to, nor the first
    // use of anything. On a busy machine there are few such turns.
    for (int turn = 0; turn < TURNS_MAX && !isFew(fileBytes); turn++) {
      fewBytes = Math.min(fewBytes, allocatedBytes(few, dir.resolve("few-" + turn)));
      manyBytes = Math.min(manyBytes, allocatedBytes(many, dir.resolve("many-" + turn)));
      fileBytes = (manyBytes - fewBytes) / (MANY - FEW);
    }
    assertThat(isFew(fileBytes)).as("%d bytes a file", fileBytes).isTrue();
  }

  private static boolean isFew(long fileBytes) {
    return fileBytes >= BYTES_MIN && fileBytes <= BYTES_MAX;
  }

  private Path makeTree(String name, int files) throws IOException {
    Path tree = Files.createDirectory(dir.resolve(name));
    for (int i = 0; i < files; i++) {
      Files.writeString(tree.resolve("file" + i), "content");
    }
    return tree;
  }

  private static long allocatedBytes(Path source, Path target) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getTotalThreadAllocatedBytes();
    Cli.Result result = Cli.run("copy", "-a", "-q", source.toString(), target.toString());
    long bytes = threads.getTotalThreadAllocatedBytes() - before;
    assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
    return bytes;
  }
}

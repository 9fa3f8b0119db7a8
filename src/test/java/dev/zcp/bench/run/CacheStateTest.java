package dev.zcp.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.bench.plan.Cache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheStateTest {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @TempDir Path dir;

  @Test
  void aColdFileMayKeepOnePageInAHundred() throws IOException {
    assertThat(CacheState.obstacle(dir, Cache.COLD, 0)).isEmpty();
    assertThat(CacheState.obstacle(dir, Cache.COLD, CacheState.COLD_SHARE_MAX)).isEmpty();
    assertThat(CacheState.obstacle(dir, Cache.COLD, 0.02)).contains("page cache");
    assertThat(CacheState.obstacle(dir, Cache.COLD, Double.NaN)).contains("nobody can tell");
    assertThat(CacheState.obstacle(dir, Cache.WARM, 0.5)).as("worth a note").isEmpty();
  }

  /// Of a hole there is no page, and none is made by reading it.
  @Test
  void aFileOfHolesThatLivesInMemoryIsWarm() throws IOException {
    assumeThat(Files.isDirectory(SHARED_MEMORY)).as("there is %s", SHARED_MEMORY).isTrue();
    assumeThat(Files.getFileStore(SHARED_MEMORY).type()).isEqualTo("tmpfs");
    Path file = Files.createTempFile(SHARED_MEMORY, "zcp-test", "");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), 1 << 20);
      assertThat(new CacheState(new ThisHost(false)).prepare(file, Cache.WARM)).isEqualTo(1);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void memoryIsNamedAsTheReason() throws IOException {
    assumeThat(Files.isDirectory(SHARED_MEMORY)).as("there is %s", SHARED_MEMORY).isTrue();
    assumeThat(Files.getFileStore(SHARED_MEMORY).type()).isEqualTo("tmpfs");
    assertThat(CacheState.obstacle(SHARED_MEMORY, Cache.COLD, 1))
        .isEqualTo("tmpfs keeps files in the page cache");
  }
}

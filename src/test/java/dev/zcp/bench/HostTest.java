package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.linux.Mapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {

  private static final int MAPPED_BYTES = 1 << 20;
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @TempDir Path dir;

  @Test
  void aColdFileMayKeepOnePageInAHundred() throws IOException {
    assertThat(Host.obstacle(dir, Cell.Cache.COLD, 0)).isEmpty();
    assertThat(Host.obstacle(dir, Cell.Cache.COLD, Host.COLD_SHARE_MAX)).isEmpty();
    assertThat(Host.obstacle(dir, Cell.Cache.COLD, 0.02)).contains("page cache");
    assertThat(Host.obstacle(dir, Cell.Cache.COLD, Double.NaN)).contains("nobody can tell");
    assertThat(Host.obstacle(dir, Cell.Cache.WARM, 0.5)).as("worth a note").isEmpty();
  }

  /// Of a hole there is no page, and none is made by reading it.
  @Test
  void aFileOfHolesThatLivesInMemoryIsWarm() throws IOException {
    assumeThat(Files.isDirectory(SHARED_MEMORY)).as("there is %s", SHARED_MEMORY).isTrue();
    assumeThat(Files.getFileStore(SHARED_MEMORY).type()).isEqualTo("tmpfs");
    Path file = Files.createTempFile(SHARED_MEMORY, "zcp-test", "");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), 1 << 20);
      assertThat(new Host(false).prepare(file, Cell.Cache.WARM)).isEqualTo(1);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void thatTheWholePageCacheWasDroppedIsToldOnce() throws Exception {
    Path folder = Path.of("target");
    assumeThat(Files.getFileStore(folder).type()).as("a disk").isNotEqualTo("tmpfs");
    assumeThat(Files.isWritable(Path.of("/proc/sys/vm/drop_caches"))).as("it can be").isTrue();
    Path file = Files.createTempFile(folder, "mapped", "");
    Host host = new Host(false);
    try {
      Files.write(file, new byte[MAPPED_BYTES]);
      try (FileChannel channel = FileChannel.open(file);
          Mapping mapping = Mapping.of(channel, MapMode.READ_ONLY, 0, MAPPED_BYTES)) {
        for (int i = 0; i < MAPPED_BYTES; i += 4096) {
          assertThat(mapping.bytes().get(i)).isZero();
        }
        host.prepare(file, Cell.Cache.COLD);
        host.prepare(file, Cell.Cache.COLD);
      }
    } finally {
      Files.delete(file);
    }
    assertThat(host.warnings())
        .filteredOn(each -> each.startsWith("the page cache of the whole machine was dropped"))
        .hasSize(1);
  }

  @Test
  void memoryIsNamedAsTheReason() throws IOException {
    assumeThat(Files.isDirectory(SHARED_MEMORY)).as("there is %s", SHARED_MEMORY).isTrue();
    assumeThat(Files.getFileStore(SHARED_MEMORY).type()).isEqualTo("tmpfs");
    assertThat(Host.obstacle(SHARED_MEMORY, Cell.Cache.COLD, 1))
        .isEqualTo("tmpfs keeps files in the page cache");
  }
}

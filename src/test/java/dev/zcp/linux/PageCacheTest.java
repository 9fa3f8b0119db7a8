package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageCacheTest {

  private static final Path IN_MEMORY = Path.of("/dev/shm");
  private static final int BYTES = 64 << 20;

  /// The kernel may read ahead of what it was asked for: 128 KiB by default, 4 MiB on some
  /// machines.
  private static final double READAHEAD = (8 << 20) / (double) BYTES;

  private static final boolean MAY_DROP_ALL =
      OwnProcess.user() == 0 && Files.isWritable(Path.of("/proc/sys/vm/drop_caches"));

  private Path folder;

  @AfterEach
  void removeFiles() throws IOException {
    if (folder != null) {
      Files.deleteIfExists(folder.resolve("file"));
      Files.delete(folder);
    }
  }

  @Test
  void aFileOnADiskIsPutOutAndComesBackAsItIsRead() throws Exception {
    Path file = fileOnDisk();
    assertThat(PageCache.cachedShare(file)).isEqualTo(1);
    assertThat(PageCache.evict(file, 0).share()).isZero();
    assertThat(PageCache.cachedShare(file)).isZero();

    read(file, BYTES / 2);
    assertThat(PageCache.cachedShare(file)).isCloseTo(0.5, within(READAHEAD));
    read(file, BYTES);
    assertThat(PageCache.cachedShare(file)).isEqualTo(1);
    assertThat(PageCache.evict(file, 0).share()).isZero();
  }

  @Test
  void askingBringsNothingIn() throws Exception {
    Path file = fileOnDisk();
    PageCache.evict(file, 0);
    for (int i = 0; i < 10; i++) {
      assertThat(PageCache.cachedShare(file)).isZero();
    }
  }

  /// Neither posix_fadvise(2) nor, as root, the whole machine's caches dropped.
  @Test
  void whatSomebodyHasMappedStaysAndIsSaid() throws Exception {
    Path file = fileOnDisk();
    try (FileChannel channel = FileChannel.open(file);
        Mapping mapping = Mapping.of(channel, MapMode.READ_ONLY, 0, BYTES / 2)) {
      long sum = 0;
      while (mapping.bytes().hasRemaining()) {
        sum += mapping.bytes().get();
      }
      assertThat(sum).isZero();
      PageCache.Eviction eviction = PageCache.evict(file, 0.25);
      assertThat(eviction.share()).isCloseTo(0.5, within(READAHEAD));
      assertThat(eviction.droppedAll()).isEqualTo(MAY_DROP_ALL);
    }
    assertThat(PageCache.evict(file, 0).share()).isZero();
  }

  /// What other processes read of the machine's page cache is not theirs to lose for a few pages.
  @Test
  void theWholePageCacheStaysWhereLittleEnoughOfTheFileDoes() throws Exception {
    Path file = fileOnDisk();
    PageCache.evict(file, 0);
    try (FileChannel channel = FileChannel.open(file);
        Mapping mapping = Mapping.of(channel, MapMode.READ_ONLY, 0, BYTES)) {
      assertThat(mapping.bytes().get(0)).isZero();
      PageCache.Eviction eviction = PageCache.evict(file, 0.25);
      assertThat(eviction.share()).isPositive().isLessThanOrEqualTo(0.25);
      assertThat(eviction.droppedAll()).isFalse();
    }
  }

  @Test
  void aFileThatLivesInMemoryStaysThere() throws Exception {
    assumeTrue(Files.isWritable(IN_MEMORY), "there is no " + IN_MEMORY);
    Path file = file(IN_MEMORY);
    PageCache.Eviction eviction = PageCache.evict(file, 0);
    assertThat(eviction.share()).isEqualTo(1);
    assertThat(eviction.droppedAll()).as("of no use").isFalse();
  }

  @Test
  void anEmptyFileHasNothingCached() throws Exception {
    Path file = fileOnDisk();
    Files.write(file, new byte[0]);
    assertThat(PageCache.evict(file, 0).share()).isZero();
  }

  @Test
  void whatCannotBeMappedIsNotKnown() throws Exception {
    assertThat(PageCache.cachedShare(Path.of("/proc/version"))).isZero();
    assertThat(PageCache.cachedShare(Path.of("/sys/kernel/notes"))).isNaN();
  }

  @Test
  void aMissingFileIsAnError() {
    assertThatThrownBy(() -> PageCache.cachedShare(Path.of("nowhere")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> PageCache.evict(Path.of("nowhere"), 0))
        .isInstanceOf(NoSuchFileException.class);
  }

  /// In the build's folder, which is on a disk more often than the one for temporary files.
  private Path fileOnDisk() throws IOException {
    Path target = Path.of("target");
    String type = Files.getFileStore(target).type();
    assumeFalse(type.equals("tmpfs"), "the project's folder is in memory");
    return file(target);
  }

  private Path file(Path parent) throws IOException {
    folder = Files.createTempDirectory(parent, "page-cache");
    return Files.write(folder.resolve("file"), new byte[BYTES]);
  }

  private static void read(Path file, int bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(bytes);
      while (buffer.hasRemaining()) {
        assertThat(channel.read(buffer)).isPositive();
      }
    }
  }
}

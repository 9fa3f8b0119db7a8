package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceReadTest {

  private static final int BYTES = 3 * PageCache.ALIGNMENT_BYTES + 17;

  @TempDir Path dir;

  @Test
  void aFileOfADiskIsPutOutOfTheCache() throws IOException {
    assumeDisk(dir);
    Path path = made(dir);
    assertThat(PageCache.cachedShare(path)).isPositive();
    try (NativeFile file = open(path)) {
      assertThat(PageCache.isInMemory(file.descriptor())).isFalse();
      assertThat(PageCache.putOut(file)).isTrue();
      assertThat(PageCache.cachedShare(path)).isZero();
    }
  }

  @Test
  void aFileInMemoryStaysThere() throws IOException {
    Path shared = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(shared), "no /dev/shm");
    assumeTrue(Files.getFileStore(shared).type().equals("tmpfs"), "/dev/shm is no tmpfs");
    Path place = Files.createTempDirectory(shared, "zcp-past");
    Path path = made(place);
    try (NativeFile file = open(path)) {
      assertThat(PageCache.isInMemory(file.descriptor())).isTrue();
      assertThat(PageCache.putOut(file)).isFalse();
    } finally {
      Files.delete(path);
      Files.delete(place);
    }
  }

  @Test
  void aFileIsReadPastTheCacheByWholeBlocks() throws IOException {
    assumeDisk(dir);
    Path path = made(dir);
    try (NativeFile file = open(path);
        NativeFile direct = PageCache.direct(file)) {
      assumeTrue(direct != null, "no O_DIRECT on " + Files.getFileStore(dir).type());
      ByteBuffer block =
          ByteBuffer.allocateDirect(6 * PageCache.ALIGNMENT_BYTES)
              .alignedSlice(PageCache.ALIGNMENT_BYTES);
      assertThat(direct.read(block, 0)).isEqualTo(BYTES);
      assertThat(block.flip()).isEqualTo(ByteBuffer.wrap(Files.readAllBytes(path)));
      assertThatThrownBy(() -> direct.read(block.clear(), 1)).hasMessage("Invalid argument");
    }
  }

  @Test
  void theReportOfACopyTellsWhatWasReadFromTheDevice() throws IOException {
    assumeDisk(dir);
    Path path = made(dir);
    try (NativeFile file = open(path)) {
      assumeTrue(PageCache.putOut(file), "the file stays in the page cache");
    }
    Cli.Result copy =
        Cli.run("copy", "-q", "--json", "--strategy=direct", path + "", dir.resolve("copy") + "");
    assertThat(copy.exitCode()).as(copy.err()).isZero();
    Matcher told = Pattern.compile("\"deviceReadBytes\":(\\d+)").matcher(copy.out());
    assertThat(told.find()).as(copy.out()).isTrue();
    // Of the whole process, and so of other tests, too.
    assertThat(Long.parseLong(told.group(1))).isGreaterThanOrEqualTo(BYTES);
    assertThat(copy.out()).contains("\"readCalls\":", "\"writeCalls\":");
  }

  private static void assumeDisk(Path place) throws IOException {
    String type = Files.getFileStore(place).type();
    assumeTrue(List.of("ext4", "xfs", "btrfs").contains(type), "no disk known behind " + type);
  }

  private static Path made(Path place) throws IOException {
    byte[] content = new byte[BYTES];
    new Random(1).nextBytes(content);
    return Files.write(place.resolve("file"), content);
  }

  private static NativeFile open(Path path) throws IOException {
    byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
    int descriptor = Entries.openat(Entries.AT_FDCWD, name, Entries.O_RDWR, 0);
    assertThat(descriptor).isPositive();
    return NativeFile.of(descriptor, NativeFile.traits(1), true);
  }
}

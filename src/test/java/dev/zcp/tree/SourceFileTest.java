package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.spi.Route;
import dev.zcp.testing.Feeder;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFileTest {

  /// Longer than the tick of the kernel's clock, by which older kernels stamp files.
  private static final long TICK_MS = 20;

  @TempDir Path dir;

  @Test
  void aFileHasItsLengthAndAnEmptyOneHasNone() throws IOException {
    for (String content : new String[] {"content", ""}) {
      Path path = Files.writeString(dir.resolve("file"), content);
      try (SourceFile file = SourceFile.open(RawPath.of(path))) {
        assertThat(file.isSized()).isTrue();
        assertThat(file.status().sizeBytes()).isEqualTo(content.length());
        assertThat(file.end().traits().kind()).isEqualTo(Route.Kind.FILE);
        assertThat(file.end().traits().device()).isEqualTo(file.status().device());
        assertThat(file.isUnchanged()).isTrue();
      }
    }
  }

  @Test
  void aFileThatSaysItIsEmptyAndIsNotHasNoLength() throws IOException {
    try (SourceFile file = SourceFile.open(RawPath.of("/proc/self/status"))) {
      assertThat(file.status().sizeBytes()).isZero();
      assertThat(file.isSized()).isFalse();
      assertThat(file.isUnchanged()).isTrue();
      ByteBuffer first = ByteBuffer.allocate(5);
      assertThat(file.end().read(first, 0)).isEqualTo(5);
      assertThat(new String(first.array())).isEqualTo("Name:");
    }
  }

  @Test
  void aPipeAndADeviceAreReadToTheirEnds() throws IOException {
    Path fifo = Programs.fifo(dir.resolve("fifo"));
    Feeder.feed(new byte[] {7}, () -> FileChannel.open(fifo, StandardOpenOption.WRITE));
    try (SourceFile file = SourceFile.open(RawPath.of(fifo))) {
      assertThat(file.isSized()).isFalse();
      assertThat(file.end().traits().kind()).isEqualTo(Route.Kind.PIPE);
      ByteBuffer bytes = ByteBuffer.allocate(2);
      assertThat(file.end().read(bytes, 0)).isEqualTo(1);
      assertThat(file.end().read(bytes, 1)).isEqualTo(-1);
      assertThat(file.isUnchanged()).isTrue();
    }
    try (SourceFile file = SourceFile.open(RawPath.of("/dev/null"))) {
      assertThat(file.isSized()).isFalse();
      assertThat(file.end().read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
    }
  }

  @Test
  void aFileThatIsWrittenToWhileItIsOpenHasChanged() throws Exception {
    Path path = Files.writeString(dir.resolve("file"), "content");
    try (SourceFile file = SourceFile.open(RawPath.of(path))) {
      Thread.sleep(TICK_MS);
      Files.writeString(path, "CONTENT", StandardOpenOption.WRITE);
      assertThat(file.isUnchanged()).isFalse();
    }
  }

  @Test
  void aNameThatLeadsElsewhereByNowHasChanged() throws IOException {
    Path path = Files.writeString(dir.resolve("file"), "content");
    try (SourceFile file = SourceFile.open(RawPath.of(path))) {
      Files.move(path, dir.resolve("moved"));
      Files.writeString(path, "content");
      assertThat(file.isUnchanged()).isFalse();
    }
  }

  @Test
  void aNameThatIsGoneHasChangedAndCannotBeOpened() throws IOException {
    Path path = Files.writeString(dir.resolve("file"), "content");
    try (SourceFile file = SourceFile.open(RawPath.of(path))) {
      Files.delete(path);
      assertThat(file.isUnchanged()).isFalse();
    }
    assertThatThrownBy(() -> SourceFile.open(RawPath.of(path)))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aFileThatCannotBeReadIsNotLeftOpen() throws IOException {
    // Opens, says that it is empty, and fails where nothing is mapped at address 0.
    RawPath memory = RawPath.of("/proc/self/mem");
    long before = descriptorsOf("mem");
    assertThatThrownBy(() -> SourceFile.open(memory)).isInstanceOf(IOException.class);
    assertThat(descriptorsOf("mem")).isEqualTo(before);
  }

  @Test
  void closingItClosesItsEnd() throws IOException {
    SourceFile file = SourceFile.open(RawPath.of(Files.createFile(dir.resolve("file"))));
    file.close();
    assertThat(file.end().channel().isOpen()).isFalse();
  }

  private static long descriptorsOf(String name) throws IOException {
    long count = 0;
    try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
      for (Path entry : entries.toList()) {
        boolean leadsThere =
            Files.isSymbolicLink(entry) && Files.readSymbolicLink(entry).endsWith(name);
        count += leadsThere ? 1 : 0;
      }
    }
    return count;
  }
}

package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecialEndTest {

  private static final Path NULL = Path.of("/dev/null");

  @TempDir Path dir;

  @Test
  void theNullDeviceIsEmptyAndTakesEverything() throws IOException {
    int mode = FileStatus.of(NULL).mode();
    try (Source source = ChannelEnd.openToRead(NULL, mode);
        Sink sink = ChannelEnd.openToWrite(NULL, mode)) {
      assertThat(source.read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
      assertThat(sink.write(ByteBuffer.allocate(1 << 20), 0)).isEqualTo(1 << 20);
      assertThat(source.traits().kind()).isEqualTo(Route.Kind.STREAM);
      assertThat(sink.traits().kind()).isEqualTo(Route.Kind.STREAM);
      assertThat(Files.readSymbolicLink(Path.of("/proc/self/fd/" + sink.descriptor())))
          .isEqualTo(NULL);
    }
    assertThat(FileStatus.of(NULL).type()).isEqualTo(FileType.CHARACTER_DEVICE);
  }

  @Test
  void aFullDeviceSaysSo() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "there is no /dev/full here");
    try (Sink sink = ChannelEnd.openToWrite(full, FileStatus.of(full).mode())) {
      assertThatThrownBy(() -> sink.write(ByteBuffer.allocate(1), 0))
          .hasMessage("No space left on device");
    }
  }

  @Test
  void whatIsMissingIsNotCreated() {
    Path path = dir.resolve("missing");
    assertThatThrownBy(() -> ChannelEnd.openToWrite(path, FileType.FIFO))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> ChannelEnd.openToRead(path, FileType.FIFO))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(path).doesNotExist();
  }

  @Test
  void whatIsThereIsNotCut() throws IOException {
    Path path = Files.writeString(dir.resolve("file"), "abc");
    try (Sink sink = ChannelEnd.openToWrite(path, FileType.REGULAR)) {
      sink.write(ByteBuffer.wrap(new byte[] {'x'}), 0);
    }
    assertThat(path).hasContent("xbc");
  }
}

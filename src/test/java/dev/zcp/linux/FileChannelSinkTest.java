package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChannelSinkTest extends SinkContract {

  @TempDir Path dir;

  @Override
  protected Sink open() throws IOException {
    FileChannel channel =
        FileChannel.open(
            dir.resolve("sink"),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    return ChannelEnd.file(channel, 5);
  }

  @Override
  protected byte[] arrived() throws IOException {
    return Files.readAllBytes(dir.resolve("sink"));
  }

  @Override
  protected boolean ownsItsChannel() {
    return true;
  }

  @Test
  void itIsAFileWithADescriptorOnItsDevice() throws IOException {
    Sink sink = later(open());
    assertThat(sink.traits()).isEqualTo(new Route.Traits(Route.Kind.FILE, true, false, 5));
    assertThat(Files.readSymbolicLink(Path.of("/proc/self/fd/" + sink.descriptor())))
        .isEqualTo(dir.toRealPath().resolve("sink"));
  }
}

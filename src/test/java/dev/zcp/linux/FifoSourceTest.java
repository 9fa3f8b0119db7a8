package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import dev.zcp.testing.Feeder;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FifoSourceTest extends SourceContract {

  @TempDir Path dir;

  private int fifos;

  @Override
  protected Source open(byte[] content) throws IOException {
    Path fifo = Programs.fifo(dir.resolve("fifo" + fifos++));
    Feeder.feed(content, () -> FileChannel.open(fifo, StandardOpenOption.WRITE));
    return ChannelEnd.openToRead(fifo, FileStatus.of(fifo).mode());
  }

  @Override
  protected boolean ownsItsChannel() {
    return true;
  }

  @Test
  void itIsAPipeWithADescriptor() throws IOException {
    assertThat(later(open(new byte[1])).traits())
        .isEqualTo(new Route.Traits(Route.Kind.PIPE, true, false, Route.Traits.NO_DEVICE));
  }
}

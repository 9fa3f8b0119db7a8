package dev.zcp.linux;

import dev.zcp.spi.Sink;
import dev.zcp.testing.Collector;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;

class FifoSinkTest extends SinkContract {

  @TempDir Path dir;

  private int fifos;
  private Collector collector;

  @Override
  protected Sink open() throws IOException {
    Path fifo = Programs.fifo(dir.resolve("fifo" + fifos++));
    collector = Collector.of(() -> FileChannel.open(fifo, StandardOpenOption.READ));
    return ChannelEnd.openToWrite(fifo, FileStatus.of(fifo).mode());
  }

  @Override
  protected byte[] arrived() throws IOException {
    return collector.await();
  }

  @Override
  protected boolean ownsItsChannel() {
    return true;
  }
}

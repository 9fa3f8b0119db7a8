package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.TestRoute;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferToStrategyTest extends TransferStrategyContract {

  @TempDir Path own;

  @Override
  protected TransferStrategy strategy() {
    return new TransferToStrategy();
  }

  @Test
  void aFileOfProcIsMovedOrDeclinedAndNotTakenForAnEmptyOne() throws Exception {
    byte[] content = Files.readAllBytes(Path.of("/proc/version"));
    try (Source source = TestEnds.fileSource(Path.of("/proc/version"));
        Sink sink = TestEnds.fileSink(own.resolve("sink"));
        Mover mover = strategy().open(source, sink)) {
      Step step = mover.move(new Span(0, content.length));
      long moved = step instanceof Step.Moved(long bytes) ? bytes : 0;
      assertThat(step).isNotInstanceOf(Step.Exhausted.class);
      assertThat(own.resolve("sink")).hasBinaryContent(Arrays.copyOf(content, (int) moved));
    }
  }

  @Test
  void aConnectionThatIsFullAndDoesNotBlockIsDeclinedAndNotTakenForTheEnd() throws Exception {
    Path file = Files.write(own.resolve("file"), new byte[8 << 20]);
    SocketChannel[] pair = TestRoute.sockets();
    pair[0].configureBlocking(false);
    try (Source source = TestEnds.fileSource(file);
        Sink sink = TestEnds.channelSink(Kind.SOCKET, pair[0]);
        Mover mover = strategy().open(source, sink)) {
      Span rest = new Span(0, 8 << 20);
      Step step = mover.move(rest);
      while (step instanceof Step.Moved(long bytes)) {
        rest = rest.skip(bytes);
        step = mover.move(rest);
      }
      assertThat(step).isInstanceOf(Step.Declined.class);
    } finally {
      pair[1].close();
    }
  }
}

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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpliceStrategyTest extends TransferStrategyContract {

  private static final OpenOption[] APPENDING = {
    StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND
  };

  @TempDir Path own;

  @Override
  protected TransferStrategy strategy() {
    return new SpliceStrategy();
  }

  /// A file opened to append refuses splice: by then the bytes are in the pipe and nowhere else.
  @Test
  void bytesOfASocketThatAreInThePipeWhenTheTargetRefusesReachItAllTheSame() throws Exception {
    byte[] content = new byte[200_000];
    new Random(1).nextBytes(content);
    Path to = own.resolve("sink");
    SocketChannel[] pair = TestRoute.sockets();
    Thread feeder = new Thread(() -> feed(pair[0], content));
    feeder.start();
    try (Source source = TestEnds.channelSource(Kind.SOCKET, pair[1]);
        Sink sink = TestEnds.fileSink(to, APPENDING);
        Mover mover = strategy().open(source, sink);
        Mover other = new DirectStrategy().open(source, sink)) {
      Step first = mover.move(new Span(0, content.length));
      assertThat(first).isInstanceOf(Step.Moved.class);
      long moved = ((Step.Moved) first).bytes();
      assertThat(Files.size(to)).isEqualTo(moved);

      // From now on it takes nothing more, so that another can go on.
      Span rest = new Span(moved, content.length - moved);
      assertThat(mover.move(rest)).isInstanceOf(Step.Declined.class);
      while (!rest.isEmpty()) {
        rest = rest.skip(((Step.Moved) other.move(rest)).bytes());
      }
    }
    feeder.join();
    assertThat(to).hasBinaryContent(content);
  }

  @Test
  void bytesOfAFileThatAreInThePipeWhenTheTargetRefusesAreLetGo() throws Exception {
    Path from = Files.write(own.resolve("source"), new byte[5000]);
    Path to = own.resolve("sink");
    try (Source source = TestEnds.fileSource(from);
        Sink sink = TestEnds.fileSink(to, APPENDING);
        Mover mover = strategy().open(source, sink)) {
      assertThat(mover.move(new Span(0, 5000))).isInstanceOf(Step.Declined.class);
      assertThat(mover.move(new Span(0, 5000))).isInstanceOf(Step.Declined.class);
      assertThat(Files.size(to)).isZero();
    }
  }

  @Test
  void aSocketThatDoesNotBlockIsDeclinedAtBothEnds() throws Exception {
    Path file = Files.write(own.resolve("file"), new byte[8 << 20]);
    SocketChannel[] pair = TestRoute.sockets();
    pair[0].configureBlocking(false);
    try (Source files = TestEnds.fileSource(file);
        Sink target = TestEnds.fileSink(own.resolve("sink"));
        Source socket = TestEnds.channelSource(Kind.SOCKET, pair[0]);
        Sink sockets = TestEnds.channelSink(Kind.SOCKET, pair[0]);
        Mover receiving = strategy().open(socket, target);
        Mover sending = strategy().open(files, sockets)) {
      assertThat(receiving.move(new Span(0, 1))).isInstanceOf(Step.Declined.class);
      // Nobody reads: the connection takes what it has room for, and then no more.
      Span rest = new Span(0, 8 << 20);
      Step step = sending.move(rest);
      while (step instanceof Step.Moved(long bytes)) {
        rest = rest.skip(bytes);
        step = sending.move(rest);
      }
      assertThat(step).isInstanceOf(Step.Declined.class);
      assertThat(((Step.Declined) step).reason()).contains("blocking");
    } finally {
      pair[1].close();
    }
  }

  private static void feed(SocketChannel channel, byte[] content) {
    try (channel) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new AssertionError("the reader went away", e);
    }
  }
}

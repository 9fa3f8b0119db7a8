package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.zcp.core.Span;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MmapStrategyTest extends TransferStrategyContract {

  private static final int BYTES = 8 << 20;

  @TempDir Path own;

  @Override
  protected TransferStrategy strategy() {
    return new MmapStrategy();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSourceTruncatedWhileItIsReadIsAnErrorAndNotACrash(boolean isReadByTheKernel)
      throws Exception {
    Path path = Files.write(own.resolve("source"), new byte[BYTES]);
    try (Source source = TestEnds.fileSource(path);
        Sink target = TestEnds.fileSink(own.resolve("sink"));
        Sink sink = new TruncatingSink(target, path, isReadByTheKernel);
        Mover mover = strategy().open(source, sink)) {
      assertFailsAsTruncated(mover);
    }
  }

  /// The copying is what the compiler makes late errors of: many times over, so that it is
  /// compiled.
  @Test
  void aTruncatedSourceIsAnErrorAlsoInCompiledCode() throws Exception {
    for (int i = 0; i < 300; i++) {
      Path path = Files.write(own.resolve("source"), new byte[64 << 10]);
      try (Source source = TestEnds.fileSource(path);
          Sink target = TestEnds.fileSink(own.resolve("sink"));
          Sink sink = new ShrunkSink(target, path);
          Mover mover = strategy().open(source, sink)) {
        assertFailsAsTruncated(mover);
      }
    }
  }

  @Test
  void nothingStaysMappedBetweenSteps() throws Exception {
    Path from = Files.write(own.resolve("mapped-source"), new byte[BYTES]);
    Path to = own.resolve("mapped-sink");
    SocketChannel[] pair = TestRoute.sockets();
    try (Source file = TestEnds.fileSource(from);
        Sink target = TestEnds.fileSink(to);
        Source socket = TestEnds.channelSource(Kind.SOCKET, pair[1]);
        Mover reader = strategy().open(file, target);
        Mover writer = strategy().open(socket, target)) {
      assertThat(reader.move(new Span(0, BYTES))).isEqualTo(new Step.Moved(BYTES));
      pair[0].write(ByteBuffer.allocate(100));
      assertThat(writer.move(new Span(0, 100))).isEqualTo(new Step.Moved(100));
      String maps = Files.readString(Path.of("/proc/self/maps"));
      assertThat(maps).doesNotContain("mapped-source").doesNotContain("mapped-sink");
    } finally {
      pair[0].close();
    }
  }

  /// Other strategies could move it: the file says it has no bytes, and has.
  @Test
  void aFileOfProcIsDeclinedSinceItHasNoSizeToMap() throws Exception {
    try (Source source = TestEnds.fileSource(Path.of("/proc/version"));
        Sink sink = TestEnds.fileSink(own.resolve("sink"));
        Mover mover = strategy().open(source, sink)) {
      assertThat(mover.move(new Span(0, 10))).isInstanceOf(Step.Declined.class);
      assertThat(Files.size(own.resolve("sink"))).isZero();
    }
  }

  @Test
  void aTargetThatWasLongerKeepsItsLength() throws Exception {
    Path to = Files.write(own.resolve("sink"), new byte[1000]);
    SocketChannel[] pair = TestRoute.sockets();
    try (Source source = TestEnds.channelSource(Kind.SOCKET, pair[1]);
        Sink sink = TestEnds.fileSink(to);
        Mover mover = strategy().open(source, sink)) {
      pair[0].write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      pair[0].close();
      assertThat(mover.move(new Span(10, 100))).isEqualTo(new Step.Moved(3));
      assertThat(Files.size(to)).isEqualTo(1000);
      assertThat(mover.move(new Span(900, 500))).isInstanceOf(Step.Exhausted.class);
      assertThat(Files.size(to)).isEqualTo(1000);
    }
  }

  @Test
  void aFailingSourceLeavesTheTargetNoLongerThanWhatCame() throws Exception {
    Path to = own.resolve("sink");
    try (Sink sink = TestEnds.fileSink(to);
        Mover mover = strategy().open(new BrokenSource(100), sink)) {
      assertThatThrownBy(() -> mover.move(new Span(0, 1 << 20)))
          .isInstanceOfSatisfying(
              MoveException.class, e -> assertThat(e.end()).isEqualTo(End.SOURCE));
      assertThat(Files.size(to)).isEqualTo(100);
    }
  }

  private static void assertFailsAsTruncated(Mover mover) {
    MoveException failure =
        catchThrowableOfType(MoveException.class, () -> mover.move(new Span(0, BYTES)));
    assertThat(failure).hasMessage("The file became shorter while it was read");
    assertThat(failure.end()).isEqualTo(End.SOURCE);
  }

  private static void truncate(Path path, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  /// Truncates the source as soon as the first byte is to be written, then writes.
  private record TruncatingSink(Sink inner, Path victim, boolean hasDescriptor) implements Sink {

    @Override
    public Route.Traits traits() {
      Route.Traits traits = inner.traits();
      return new Route.Traits(traits.kind(), hasDescriptor, false, traits.device());
    }

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      truncate(victim, 4096);
      return inner.write(bytes, offset);
    }

    @Override
    public WritableByteChannel channel() {
      return inner.channel();
    }

    @Override
    public int descriptor() {
      return inner.descriptor();
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }

  /// Truncates the source when it is asked for its traits: between mapping and the first touch.
  private record ShrunkSink(Sink inner, Path victim) implements Sink {

    @Override
    public Route.Traits traits() {
      try {
        truncate(victim, 0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Route.Traits(Kind.STREAM, false, false, Route.Traits.NO_DEVICE);
    }

    @Override
    public int write(ByteBuffer bytes, long offset) {
      throw new AssertionError("nothing may be written of a source that is gone");
    }

    @Override
    public WritableByteChannel channel() {
      return inner.channel();
    }

    @Override
    public int descriptor() {
      return inner.descriptor();
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }

  /// Gives some bytes and then fails.
  private static final class BrokenSource implements Source {

    private int left;

    BrokenSource(int left) {
      this.left = left;
    }

    @Override
    public Route.Traits traits() {
      return new Route.Traits(Kind.STREAM, false, false, Route.Traits.NO_DEVICE);
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      if (left == 0) {
        throw new IOException("broken on purpose");
      }
      int count = Math.min(left, target.remaining());
      target.position(target.position() + count);
      left -= count;
      return count;
    }

    @Override
    public ReadableByteChannel channel() {
      throw new IllegalStateException("no channel");
    }

    @Override
    public int descriptor() {
      throw new IllegalStateException("no descriptor");
    }

    @Override
    public void close() {}
  }
}

package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.spi.Sink;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.junit.jupiter.api.Test;

/// What every [Sink] must keep, for a test of each to inherit.
public abstract class SinkContract extends EndContract {

  /// A sink that takes at least 64 KiB.
  protected abstract Sink open() throws Exception;

  /// All that reached the far side of the sink opened last, which was closed.
  protected abstract byte[] arrived() throws Exception;

  @Test
  void everyByteArrivesOnceAndInOrder() throws Exception {
    byte[] content = SourceContract.content(60_000);
    ByteBuffer direct = ByteBuffer.allocateDirect(content.length).put(content).flip();
    ByteBuffer heap = ByteBuffer.wrap(content);
    for (ByteBuffer bytes : new ByteBuffer[] {direct, heap, heap.duplicate().asReadOnlyBuffer()}) {
      Sink sink = later(open());
      while (bytes.hasRemaining()) {
        int before = bytes.position();
        int count = sink.write(bytes, before);
        assertThat(count).as("what one write took").isPositive();
        assertThat(bytes.position()).isEqualTo(before + count);
        assertThat(bytes.limit()).isEqualTo(content.length);
      }
      sink.close();
      assertThat(arrived()).isEqualTo(content);
      heap.rewind();
    }
  }

  @Test
  void onlyWhatRemainsInTheBufferIsWritten() throws Exception {
    Sink sink = later(open());
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}).position(1).limit(4);
    for (int offset = 0; bytes.hasRemaining(); offset = bytes.position() - 1) {
      sink.write(bytes, offset);
    }
    sink.close();
    assertThat(arrived()).containsExactly(2, 3, 4);
  }

  @Test
  void onlyASeekableSinkHasAFileBehindIt() throws Exception {
    Sink sink = later(open());
    assertFits(sink.traits(), sink.channel());
    if (sink.traits().seekable()) {
      assertThat(((FileChannel) sink.channel()).read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
    }
  }

  @Test
  void theChannelTakesTheSameWay() throws Exception {
    Sink sink = later(open());
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3});
    while (bytes.hasRemaining()) {
      sink.channel().write(bytes);
    }
    sink.close();
    assertThat(arrived()).containsExactly(1, 2, 3);
  }

  @Test
  void theDescriptorTakesTheSameWay() throws Exception {
    Sink sink = later(open());
    assumeTrue(sink.traits().hasDescriptor(), "this sink has no descriptor");
    ByteBuffer bytes = ByteBuffer.allocateDirect(3).put(new byte[] {1, 2, 3}).flip();
    assertThat(PlainWrite.of(sink.descriptor(), bytes)).isEqualTo(3);
    sink.close();
    assertThat(arrived()).containsExactly(1, 2, 3);
  }

  @Test
  void aSeekableSinkTakesAnyOffset() throws Exception {
    Sink sink = later(open());
    assumeTrue(sink.traits().seekable(), "this sink takes bytes in order");
    sink.write(ByteBuffer.wrap(new byte[] {5, 6}), 4);
    sink.write(ByteBuffer.wrap(new byte[] {1}), 0);
    sink.write(ByteBuffer.wrap(new byte[] {7}), 5);
    assertThat(((FileChannel) sink.channel()).position()).isZero();
    sink.close();
    assertThat(arrived()).containsExactly(1, 0, 0, 0, 5, 7);
  }

  @Test
  void aSinkThatCannotSeekAppends() throws Exception {
    Sink sink = later(open());
    assumeTrue(!sink.traits().seekable(), "this sink can seek");
    for (byte value = 1; value <= 3; value++) {
      assertThat(sink.write(ByteBuffer.wrap(new byte[] {value}), 77)).isEqualTo(1);
    }
    sink.close();
    assertThat(arrived()).containsExactly(1, 2, 3);
  }

  @Test
  void closingTwiceIsClosingOnce() throws Exception {
    Sink sink = later(open());
    sink.close();
    sink.close();
    assertThat(sink.channel().isOpen()).isEqualTo(!ownsItsChannel());
    assertThat(arrived()).isEmpty();
  }
}

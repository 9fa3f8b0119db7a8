package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.spi.Source;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every [Source] must keep, for a test of each to inherit.
public abstract class SourceContract extends EndContract {

  /// A source that gives `content`, at most 64 KiB, and then ends.
  protected abstract Source open(byte[] content) throws Exception;

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4096, 1 << 20})
  void everyByteComesOnceAndInOrder(int bufferBytes) throws Exception {
    byte[] content = content(10_000);
    for (ByteBuffer buffer :
        new ByteBuffer[] {
          ByteBuffer.allocate(bufferBytes), ByteBuffer.allocateDirect(bufferBytes)
        }) {
      Source source = later(open(content));
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      int count = source.read(buffer.clear(), 0);
      while (count >= 0) {
        assertThat(count).as("what one read gave").isPositive().isEqualTo(buffer.position());
        byte[] part = new byte[count];
        buffer.flip().get(part);
        read.writeBytes(part);
        count = source.read(buffer.clear(), read.size());
      }
      assertThat(buffer.position()).as("moved at the end").isZero();
      assertThat(read.toByteArray()).isEqualTo(content);
    }
  }

  @Test
  void theEndIsTheEndHoweverOftenItIsAskedFor() throws Exception {
    Source source = later(open(new byte[] {1}));
    ByteBuffer buffer = ByteBuffer.allocate(10);
    assertThat(source.read(buffer, 0)).isEqualTo(1);
    assertThat(source.read(buffer, 1)).isEqualTo(-1);
    assertThat(source.read(buffer, 1)).isEqualTo(-1);
    assertThat(buffer.position()).isEqualTo(1);
  }

  @Test
  void anEmptySourceIsAtItsEndAtOnce() throws Exception {
    assertThat(later(open(new byte[0])).read(ByteBuffer.allocate(1), 0)).isEqualTo(-1);
  }

  @Test
  void nothingIsWrittenOutsideTheRoomOfTheBuffer() throws Exception {
    Source source = later(open(new byte[] {1, 2, 3, 4, 5}));
    ByteBuffer buffer = ByteBuffer.allocate(6).position(2).limit(4);
    int count = source.read(buffer, 0);
    assertThat(count).isBetween(1, 2);
    assertThat(buffer.position()).isEqualTo(2 + count);
    assertThat(buffer.limit()).isEqualTo(4);
    assertThat(buffer.array())
        .isEqualTo(count == 1 ? new byte[] {0, 0, 1, 0, 0, 0} : new byte[] {0, 0, 1, 2, 0, 0});
  }

  @Test
  void onlyASeekableSourceHasAFileBehindIt() throws Exception {
    Source source = later(open(content(10)));
    assertFits(source.traits(), source.channel());
  }

  @Test
  void theDescriptorLeadsToTheSameBytes() throws Exception {
    byte[] content = content(100);
    Source source = later(open(content));
    assumeTrue(source.traits().hasDescriptor(), "this source has no descriptor");
    ByteBuffer bytes = ByteBuffer.allocateDirect(content.length);
    int count = 1;
    while (bytes.hasRemaining() && count > 0) {
      count = Libc.read(source.descriptor(), bytes);
    }
    assertThat(bytes.flip()).isEqualTo(ByteBuffer.wrap(content));
  }

  @Test
  void aSeekableSourceGivesAnyOffsetAnyNumberOfTimes() throws Exception {
    byte[] content = content(5_000);
    Source source = later(open(content));
    assumeTrue(source.traits().seekable(), "this source gives its bytes once");
    long position = ((FileChannel) source.channel()).position();
    for (int offset : new int[] {4_999, 0, 2_500, 2_500, 1}) {
      ByteBuffer one = ByteBuffer.allocate(1);
      assertThat(source.read(one, offset)).isEqualTo(1);
      assertThat(one.get(0)).isEqualTo(content[offset]);
    }
    assertThat(source.read(ByteBuffer.allocate(1), 5_000)).isEqualTo(-1);
    assertThat(source.read(ByteBuffer.allocate(1), Long.MAX_VALUE / 2)).isEqualTo(-1);
    assertThat(((FileChannel) source.channel()).position()).isEqualTo(position);
  }

  @Test
  void aSourceThatCannotSeekIgnoresTheOffset() throws Exception {
    Source source = later(open(new byte[] {1, 2, 3}));
    assumeTrue(!source.traits().seekable(), "this source can seek");
    ByteBuffer one = ByteBuffer.allocate(1);
    for (byte expected = 1; expected <= 3; expected++) {
      assertThat(source.read(one.clear(), 77)).isEqualTo(1);
      assertThat(one.get(0)).isEqualTo(expected);
    }
  }

  @Test
  void closingTwiceIsClosingOnce() throws Exception {
    Source source = later(open(content(3)));
    source.close();
    source.close();
    assertThat(source.channel().isOpen()).isEqualTo(!ownsItsChannel());
  }

  public static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}

package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Sink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BlockBufferTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StreamPlace.BlockBuffer buffer = new StreamPlace.BlockBuffer();

  @Test
  void aBlockIsWrittenWhenThatIsAskedForAndOnce() throws IOException {
    buffer.begin(5);
    assertThat(buffer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0)).isEqualTo(3);
    assertThat(buffer.write(ByteBuffer.wrap(new byte[] {4, 5, 6}), 3)).isEqualTo(2);
    assertThat(out.size()).isZero();
    buffer.writeTo(stream(), 0);
    assertThat(out.toByteArray()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void aBlockThatWasNotWrittenIsDroppedWithTheNext() throws IOException {
    buffer.begin(3);
    buffer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
    buffer.begin(1);
    buffer.write(ByteBuffer.wrap(new byte[] {9}), 0);
    buffer.writeTo(stream(), 0);
    assertThat(out.toByteArray()).containsExactly(9);
  }

  private Sink stream() throws IOException {
    return new StandardStreams(new ByteArrayInputStream(new byte[0]), out).sink();
  }
}

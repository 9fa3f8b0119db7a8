package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.linux.SourceContract;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BufferSourceTest extends SourceContract {

  @Override
  protected Source open(byte[] content) {
    return new BufferSource(ByteBuffer.wrap(content));
  }

  @Override
  protected boolean ownsItsChannel() {
    return false;
  }

  @Test
  void whatIsFilledInLaterIsReadToo() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(4).flip();
    Source source = new BufferSource(buffer);
    ByteBuffer target = ByteBuffer.allocate(4);
    assertThat(source.read(target, 0)).isEqualTo(-1);
    buffer.clear().put((byte) 7).flip();
    assertThat(source.read(target, 0)).isEqualTo(1);
    assertThat(source.channel().read(target)).isEqualTo(-1);
    assertThat(target.get(0)).isEqualTo((byte) 7);
    assertThat(source.traits().hasDescriptor()).isFalse();
  }
}

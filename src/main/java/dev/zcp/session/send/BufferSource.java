package dev.zcp.session.send;

import dev.zcp.spi.UserSpaceSource;
import java.nio.ByteBuffer;

/// Bytes that are in memory already: what remains of a buffer that somebody else fills.
public final class BufferSource implements UserSpaceSource {

  private final ByteBuffer buffer;

  public BufferSource(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  @Override
  public int read(ByteBuffer target, long offset) {
    int count = Math.min(target.remaining(), buffer.remaining());
    if (count == 0) {
      return -1;
    }
    target.put(buffer.slice(buffer.position(), count));
    buffer.position(buffer.position() + count);
    return count;
  }

  @Override
  public void close() {}
}

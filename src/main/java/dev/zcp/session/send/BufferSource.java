package dev.zcp.session.send;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Bytes that are in memory already: what remains of a buffer that somebody else fills.
public final class BufferSource implements Source, ReadableByteChannel {

  private static final Route.Traits TRAITS =
      new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);

  private final ByteBuffer buffer;

  public BufferSource(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  @Override
  public Route.Traits traits() {
    return TRAITS;
  }

  @Override
  public int read(ByteBuffer target, long offset) {
    return read(target);
  }

  @Override
  public int read(ByteBuffer target) {
    int count = Math.min(target.remaining(), buffer.remaining());
    if (count == 0) {
      return -1;
    }
    target.put(buffer.slice(buffer.position(), count));
    buffer.position(buffer.position() + count);
    return count;
  }

  @Override
  public ReadableByteChannel channel() {
    return this;
  }

  @Override
  public int descriptor() {
    return -1;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}

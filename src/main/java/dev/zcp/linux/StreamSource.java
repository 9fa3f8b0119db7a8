package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Bytes that come in order and once: a pipe, a FIFO, a terminal, a device, a wrapped stream.
public final class StreamSource implements Source {

  private final ReadableByteChannel channel;
  private final int descriptor;
  private final Route.Traits traits;
  private final boolean owned;

  /// @param owned whether closing this end closes the channel
  StreamSource(ReadableByteChannel channel, int descriptor, Route.Kind kind, boolean owned) {
    this.channel = channel;
    this.descriptor = descriptor;
    this.owned = owned;
    this.traits =
        new Route.Traits(kind, descriptor != Descriptors.NONE, false, Route.Traits.NO_DEVICE);
  }

  @Override
  public Route.Traits traits() {
    return traits;
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    int count = channel.read(target);
    while (count == 0 && target.hasRemaining()) {
      Readiness.await();
      count = channel.read(target);
    }
    return count;
  }

  @Override
  public ReadableByteChannel channel() {
    return channel;
  }

  @Override
  public int descriptor() {
    return descriptor;
  }

  @Override
  public void close() throws IOException {
    if (owned) {
      channel.close();
    }
  }
}

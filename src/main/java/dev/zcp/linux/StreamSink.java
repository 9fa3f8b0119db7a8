package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Where bytes go in order and once: a pipe, a FIFO, a terminal, a device, a wrapped stream.
public final class StreamSink implements Sink {

  private final WritableByteChannel channel;
  private final int descriptor;
  private final Route.Traits traits;
  private final boolean owned;

  /// @param owned whether closing this end closes the channel
  StreamSink(WritableByteChannel channel, int descriptor, Route.Kind kind, boolean owned) {
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
  public int write(ByteBuffer bytes, long offset) throws IOException {
    int count = channel.write(bytes);
    while (count == 0 && bytes.hasRemaining()) {
      Readiness.await();
      count = channel.write(bytes);
    }
    return count;
  }

  @Override
  public WritableByteChannel channel() {
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

package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A connected socket in blocking mode, as the source or the sink of a transfer. Closing the end
/// leaves the socket open: what comes after the file's bytes is the protocol's.
public final class SocketEnd implements Source, Sink {

  private final SocketChannel channel;
  private final Route.Traits traits;

  public SocketEnd(SocketChannel channel) {
    this.channel = channel;
    this.traits =
        new Route.Traits(Route.Kind.SOCKET, Descriptors.available(), false, Route.Traits.NO_DEVICE);
  }

  @Override
  public Route.Traits traits() {
    return traits;
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    return channel.read(target);
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    return channel.write(bytes);
  }

  @Override
  public SocketChannel channel() {
    return channel;
  }

  @Override
  public int descriptor() {
    return Descriptors.of(channel);
  }

  @Override
  public void close() {}
}

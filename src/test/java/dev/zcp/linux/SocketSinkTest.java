package dev.zcp.linux;

import dev.zcp.spi.Sink;
import dev.zcp.testing.Collector;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.channels.SocketChannel;

class SocketSinkTest extends SinkContract {

  private SocketChannel near;
  private Collector collector;

  @Override
  protected Sink open() throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    near = later(pair[0]);
    collector = Collector.of(() -> pair[1]);
    return ChannelEnd.socket(near);
  }

  @Override
  protected byte[] arrived() throws IOException {
    near.shutdownOutput();
    return collector.await();
  }

  @Override
  protected boolean ownsItsChannel() {
    return false;
  }
}

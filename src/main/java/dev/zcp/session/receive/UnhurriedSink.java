package dev.zcp.session.receive;

import dev.zcp.session.link.Pulse;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Standard output as the watch over a connection is to see it: while its reader takes nothing, it
/// is not the sender that is slow. It shows no descriptor, like the [Sink] behind it.
final class UnhurriedSink implements Sink, WritableByteChannel {

  private final Sink sink;
  private final Pulse pulse;

  /// @param sink is left open
  UnhurriedSink(Sink sink, Pulse pulse) {
    this.sink = sink;
    this.pulse = pulse;
  }

  @Override
  public Route.Traits traits() {
    return sink.traits();
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    pulse.stopWaiting();
    try {
      return sink.write(bytes, offset);
    } finally {
      pulse.waitForPeer();
    }
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return write(bytes, 0);
  }

  @Override
  public WritableByteChannel channel() {
    return this;
  }

  @Override
  public int descriptor() {
    return sink.descriptor();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {
    // The stream is not this one's.
  }
}

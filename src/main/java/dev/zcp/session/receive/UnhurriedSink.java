package dev.zcp.session.receive;

import dev.zcp.carrier.PeerTimeout;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Standard output as the watch over a connection is to see it: while its reader takes nothing, it
/// is not the sender that is slow. It shows no descriptor, whatever is behind it: where the kernel
/// moved the bytes by itself, nobody could tell who keeps whom waiting.
final class UnhurriedSink implements Sink, WritableByteChannel {

  private static final int NO_DESCRIPTOR = -1;

  private static final Route.Traits TRAITS =
      new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);

  private final Sink sink;
  private final PeerTimeout timeout;

  /// @param sink takes bytes in order, whatever their offset; is left open
  UnhurriedSink(Sink sink, PeerTimeout timeout) {
    this.sink = sink;
    this.timeout = timeout;
  }

  @Override
  public Route.Traits traits() {
    return TRAITS;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    timeout.stopWaiting();
    try {
      return sink.write(bytes, offset);
    } finally {
      timeout.waitForPeer();
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
    return NO_DESCRIPTOR;
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

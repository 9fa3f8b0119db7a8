package dev.zcp.testing;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Takes at most a few bytes at a time, and shows no descriptor.
///
/// @param bytesMax the most that one write takes
public record ShortSink(Sink inner, int bytesMax) implements Sink {

  @Override
  public Route.Traits traits() {
    Route.Traits traits = inner.traits();
    return new Route.Traits(traits.kind(), false, traits.encrypted(), traits.device());
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    int limit = bytes.limit();
    bytes.limit(Math.min(limit, bytes.position() + bytesMax));
    try {
      return inner.write(bytes, offset);
    } finally {
      bytes.limit(limit);
    }
  }

  @Override
  public WritableByteChannel channel() {
    return inner.channel();
  }

  @Override
  public int descriptor() {
    throw new IllegalStateException("no descriptor");
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}

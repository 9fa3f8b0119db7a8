package dev.zcp.testing;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Gives at most a few bytes at a time, and shows no descriptor.
///
/// @param bytesMax the most that one read gives
public record ShortSource(Source inner, int bytesMax) implements Source {

  @Override
  public Route.Traits traits() {
    Route.Traits traits = inner.traits();
    return new Route.Traits(traits.kind(), false, traits.encrypted(), traits.device());
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    int limit = target.limit();
    target.limit(Math.min(limit, target.position() + bytesMax));
    try {
      return inner.read(target, offset);
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public ReadableByteChannel channel() {
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

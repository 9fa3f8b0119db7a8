package dev.zcp.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// A source whose bytes this process makes, one after the other: it has no descriptor, and is its
/// own channel.
public interface UserSpaceSource extends Source, ReadableByteChannel {

  Route.Traits TRAITS = new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);

  @Override
  default Route.Traits traits() {
    return TRAITS;
  }

  @Override
  default int read(ByteBuffer target) throws IOException {
    return read(target, 0);
  }

  @Override
  default ReadableByteChannel channel() {
    return this;
  }

  @Override
  default int descriptor() {
    return -1;
  }

  @Override
  default boolean isOpen() {
    return true;
  }
}

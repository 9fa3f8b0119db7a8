package dev.zcp.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A sink whose bytes this process takes, one after the other: it has no descriptor, and is its own
/// channel.
public interface UserSpaceSink extends Sink, WritableByteChannel {

  @Override
  default Route.Traits traits() {
    return UserSpaceSource.TRAITS;
  }

  @Override
  default int write(ByteBuffer bytes) throws IOException {
    return write(bytes, 0);
  }

  @Override
  default WritableByteChannel channel() {
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

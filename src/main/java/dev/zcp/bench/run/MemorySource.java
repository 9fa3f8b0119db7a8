package dev.zcp.bench.run;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// The beginning of WRITE: bytes from memory. It fills whatever it is given, so that a call moves a
/// whole chunk.
final class MemorySource implements Source, ReadableByteChannel {

  static final int NO_DESCRIPTOR = -1;

  /// Of memory, at either end.
  static final Route.Traits TRAITS =
      new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);

  private final MadeContent content;
  private final long bytes;
  private long at;

  /// @param bytes how many it has
  MemorySource(MadeContent content, long bytes) {
    this.content = content;
    this.bytes = bytes;
  }

  @Override
  public Route.Traits traits() {
    return TRAITS;
  }

  @Override
  public int read(ByteBuffer target, long offset) {
    return read(target);
  }

  @Override
  public int read(ByteBuffer target) {
    int count = (int) Math.min(target.remaining(), bytes - at);
    if (count == 0) {
      return -1;
    }
    int limit = target.limit();
    content.put(at, target.limit(target.position() + count));
    target.limit(limit);
    at += count;
    return count;
  }

  @Override
  public ReadableByteChannel channel() {
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
  public void close() {}
}

package dev.zcp.bench;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// The ends of experiments that are in memory.
final class MemoryEnds {

  private static final int NO_DESCRIPTOR = -1;

  private static final Route.Traits TRAITS =
      new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);

  private MemoryEnds() {}

  /// The beginning of WRITE: bytes from memory. It fills whatever it is given, so that a call moves
  /// a whole chunk.
  static final class Memory implements Contender.Endpoint, Source, ReadableByteChannel {

    private final Content.Generated content;
    private final long bytes;
    private long at;

    /// @param bytes how many it has
    Memory(Content.Generated content, long bytes) {
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

  /// The end of READ: bytes in memory, which are looked at and dropped.
  record CheckingSink(ContentCheck check) implements Contender.Endpoint, Sink, WritableByteChannel {

    @Override
    public Route.Traits traits() {
      return TRAITS;
    }

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      return write(bytes);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      int count = bytes.remaining();
      check.take(bytes);
      return count;
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
    public void close() {}
  }
}

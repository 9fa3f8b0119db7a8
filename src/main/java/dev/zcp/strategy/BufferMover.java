package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/// Reads into one buffer and writes it out, again and again.
final class BufferMover implements Mover {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final Source source;
  private final Sink sink;
  private final IntFunction<ByteBuffer> allocate;
  private ByteBuffer buffer = NONE;

  BufferMover(Source source, Sink sink, IntFunction<ByteBuffer> allocate) {
    this.source = source;
    this.sink = sink;
    this.allocate = allocate;
  }

  @Override
  public Step move(Span span) throws IOException {
    buffer = UserSpace.grown(buffer, buffer.capacity(), span.length(), allocate);
    buffer.clear().limit((int) Math.min(buffer.capacity(), span.length()));
    int count = UserSpace.read(source, buffer, span.offset());
    if (count < 0) {
      return new Step.Exhausted();
    }
    UserSpace.writeAll(sink, buffer.flip(), span.offset());
    return new Step.Moved(count);
  }

  @Override
  public void close() {
    buffer = NONE;
  }
}

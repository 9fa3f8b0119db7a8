package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.core.SpareBuffer;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;
import java.nio.ByteBuffer;

final class BufferMover implements Mover {

  private final Source source;
  private final Sink sink;
  private final SpareBuffer spare;

  BufferMover(Source source, Sink sink, SpareBuffer spare) {
    this.source = source;
    this.sink = sink;
    this.spare = spare;
  }

  @Override
  public Step move(Span span) throws IOException {
    ByteBuffer buffer = UserSpace.grown(null, 0, span.length(), spare::take);
    try {
      buffer.limit((int) Math.min(buffer.capacity(), span.length()));
      int count = UserSpace.read(source, buffer, span.offset());
      if (count < 0) {
        return new Step.Exhausted();
      }
      UserSpace.writeAll(sink, buffer.flip(), span.offset());
      return new Step.Moved(count);
    } finally {
      spare.give(buffer);
    }
  }
}

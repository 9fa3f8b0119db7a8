package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;

/// splice(2) where one end is a pipe: one call takes and gives, so nothing is ever in between.
final class SpliceMover implements Mover {

  private final Source source;
  private final Sink sink;

  SpliceMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
  }

  @Override
  public Step move(Span span) throws IOException {
    long fromOffset = source.traits().seekable() ? span.offset() : Libc.NO_OFFSET;
    long toOffset = sink.traits().seekable() ? span.offset() : Libc.NO_OFFSET;
    long moved =
        Libc.splice(source.descriptor(), fromOffset, sink.descriptor(), toOffset, span.length(), 0);
    if (moved > 0) {
      return new Step.Moved(moved);
    }
    int errno = (int) -moved;
    if (errno == 0) {
      return UserSpace.afterNothing("splice", source, sink, span.offset());
    }
    if (CallResult.isRefusal(errno)) {
      return CallResult.declined("splice", errno);
    }
    throw CallResult.failure(errno);
  }
}

package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;

/// `FileChannel.transferFrom`: whatever its name suggests, a loop over 8 KiB of heap unless the
/// source is a file.
final class TransferFromMover implements Mover {

  private final Source source;
  private final Sink sink;
  private final ReadableByteChannel from;
  private final FileChannel to;

  TransferFromMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.from = source.channel();
    this.to = (FileChannel) sink.channel();
  }

  @Override
  public Step move(Span span) throws IOException {
    long moved = to.transferFrom(from, span.offset(), span.length());
    // 0 is the end of the source for most channels and a pause of it for some: a read decides.
    return moved > 0
        ? new Step.Moved(moved)
        : UserSpace.afterNothing("transferFrom", source, sink, span.offset());
  }
}

package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// sendfile(2) from a file to a socket or a pipe.
///
/// `FileChannel.transferTo` makes that call too, but on JDK 25 tries copy_file_range(2) first, in
/// vain, every time. So it serves only ends whose descriptors are not known.
final class SendfileMover implements Mover {

  private final Source source;
  private final Sink sink;
  private final boolean hasDescriptors;

  SendfileMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.hasDescriptors =
        source.traits().hasDescriptor()
            && sink.traits().hasDescriptor()
            && Libc.obstacle().isEmpty();
  }

  @Override
  public Step move(Span span) throws IOException {
    long moved =
        hasDescriptors
            ? Libc.sendfile(sink.descriptor(), source.descriptor(), span.offset(), span.length())
            : byJdk(span);
    if (moved > 0) {
      return new Step.Moved(moved);
    }
    int errno = (int) -moved;
    if (errno == 0) {
      return UserSpace.afterNothing("sendfile", source, sink, span.offset());
    }
    if (CallResult.isRefusal(errno)) {
      return CallResult.declined("sendfile", errno);
    }
    throw CallResult.failure(errno);
  }

  private long byJdk(Span span) throws IOException {
    try {
      FileChannel from = (FileChannel) source.channel();
      return from.transferTo(span.offset(), span.length(), sink.channel());
    } catch (IOException e) {
      int errno = Errno.ofMessage(e.getMessage());
      if (errno == 0) {
        throw e;
      }
      return -errno;
    }
  }
}

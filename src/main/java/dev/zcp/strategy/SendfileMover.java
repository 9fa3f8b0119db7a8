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
import java.nio.channels.WritableByteChannel;

/// sendfile(2) from a file to a socket or a pipe.
///
/// `FileChannel.transferTo` makes that call too, but on JDK 25 tries copy_file_range(2) first, in
/// vain, every time. Its first calls are made by the JDK all the same, since binding our own costs
/// more than a small file takes to send; the rest of a large file goes without the vain ones.
final class SendfileMover implements Mover {

  /// By then there is more to move than a small file has.
  private static final long BYTES_BEFORE_BINDING = 16 << 20;

  private final Source source;
  private final Sink sink;
  private final FileChannel from;
  private final WritableByteChannel to;
  private final boolean hasDescriptors;
  private long bytesByJdk;

  SendfileMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.from = (FileChannel) source.channel();
    this.to = sink.channel();
    this.hasDescriptors =
        source.traits().hasDescriptor()
            && sink.traits().hasDescriptor()
            && Libc.obstacle().isEmpty();
  }

  @Override
  public Step move(Span span) throws IOException {
    boolean repaid = Libc.isBound() || bytesByJdk >= BYTES_BEFORE_BINDING;
    long moved = hasDescriptors && repaid ? byKernel(span) : byJdk(span);
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

  private long byKernel(Span span) {
    return Libc.sendfile(sink.descriptor(), source.descriptor(), span.offset(), span.length());
  }

  private long byJdk(Span span) throws IOException {
    try {
      long moved = from.transferTo(span.offset(), span.length(), to);
      bytesByJdk += moved;
      return moved;
    } catch (IOException e) {
      int errno = Errno.ofMessage(e.getMessage());
      if (errno == 0) {
        throw e;
      }
      return -errno;
    }
  }
}

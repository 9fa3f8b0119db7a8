package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// `FileChannel.transferTo` from file to file, in which the JDK calls copy_file_range(2) once, at
/// most 2 GiB, and falls back to sendfile(2) by itself where that fails with EXDEV, EINVAL or
/// ENOSYS.
final class TransferToFileMover implements Mover {

  private final Source source;
  private final Sink sink;
  private final FileChannel from;
  private final FileChannel to;

  TransferToFileMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.from = (FileChannel) source.channel();
    this.to = (FileChannel) sink.channel();
  }

  @Override
  public Step move(Span span) throws IOException {
    long moved;
    try {
      // transferTo writes at the target's position, and nobody else relies on that.
      to.position(span.offset());
      moved = from.transferTo(span.offset(), span.length(), to);
    } catch (IOException e) {
      int errno = Errno.ofMessage(e.getMessage());
      // One call either moved or failed, so nothing has been moved. EIO too: copy_file_range(2)
      // of some network file systems says so of files that can be read.
      if (CallResult.isRefusal(errno) || errno == Errno.EIO) {
        return CallResult.declined("copy_file_range", errno);
      }
      throw errno == 0 ? e : CallResult.failure(errno);
    }
    return moved > 0
        ? new Step.Moved(moved)
        : UserSpace.afterNothing("transferTo", source, sink, span.offset());
  }
}

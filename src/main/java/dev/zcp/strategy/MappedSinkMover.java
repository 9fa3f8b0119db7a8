package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.linux.Mapping;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/// Maps the sink and reads into the mapping. The file grows to hold the mapping and is cut back to
/// what really came.
///
/// Where several movers fill one file, it should have its full length before: growing and cutting
/// back suit one writer.
final class MappedSinkMover implements Mover {

  private static final int COPY_BYTES = 1 << 20;

  /// A slow source must not keep a step, and with it every sign of progress, for longer.
  private static final long STEP_NS_MAX = 100_000_000;

  private final Source source;
  private final Sink sink;
  private final FileChannel channel;

  MappedSinkMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.channel = (FileChannel) sink.channel();
  }

  @Override
  public Step move(Span span) throws IOException {
    Span part = span.first(MappedSourceMover.MAPPING_BYTES_MAX);
    long sizeBefore = sinkSize();
    ByteBuffer bytes = ByteBuffer.allocate(0);
    try {
      reserve(part, sizeBefore);
      try (Mapping mapping = map(part)) {
        bytes = mapping.bytes();
        fill(bytes, part.offset());
      }
    } catch (IOException e) {
      cutBackAfter(e, sizeBefore, part, bytes.position());
      throw e;
    }
    cutBack(sizeBefore, part, bytes.position());
    return bytes.position() == 0 ? new Step.Exhausted() : new Step.Moved(bytes.position());
  }

  /// Gives the file its blocks first: otherwise a full disk shows as a fault in the mapping.
  private void reserve(Span part, long sizeBefore) throws MoveException {
    if (part.end() <= sizeBefore || !sink.traits().hasDescriptor() || Libc.obstacle().isPresent()) {
      return;
    }
    int result = Libc.fallocate(sink.descriptor(), part.offset(), part.length());
    if (result == -Errno.ENOSPC || result == -Errno.EDQUOT || result == -Errno.EFBIG) {
      throw new MoveException(End.SINK, Errno.failure(-result));
    }
    // Anything else: the file system cannot, and mapping lengthens the file without blocks.
  }

  private Mapping map(Span part) throws MoveException {
    try {
      return Mapping.of(channel, MapMode.READ_WRITE, part.offset(), part.length());
    } catch (IOException e) {
      throw new MoveException(End.SINK, e);
    }
  }

  /// Reads until the mapping is full, the source ends or the step has taken long enough.
  private void fill(ByteBuffer mapped, long offset) throws IOException {
    boolean byKernel = source.traits().hasDescriptor();
    ByteBuffer copy =
        byKernel ? null : ByteBuffer.allocate(Math.min(COPY_BYTES, mapped.remaining()));
    long startedNs = System.nanoTime();
    int count = 0;
    while (mapped.hasRemaining() && count >= 0 && System.nanoTime() - startedNs < STEP_NS_MAX) {
      long at = offset + mapped.position();
      count = byKernel ? readInto(mapped, at) : copyInto(mapped, copy, at);
    }
  }

  private int readInto(ByteBuffer mapped, long offset) throws MoveException {
    try {
      return UserSpace.read(source, mapped, offset);
    } catch (MoveException e) {
      // EFAULT: the kernel could not write to the mapping, so it is the sink that failed.
      throw Errno.ofMessage(e.getMessage()) == Errno.EFAULT ? lostPage(e) : e;
    }
  }

  /// A source without a descriptor may decrypt or hash in place, which nobody may do in a mapping.
  private int copyInto(ByteBuffer mapped, ByteBuffer copy, long offset) throws MoveException {
    copy.clear().limit(Math.min(copy.capacity(), mapped.remaining()));
    int count = UserSpace.read(source, copy, offset);
    try {
      mapped.put(copy.flip());
    } catch (InternalError e) {
      throw lostPage(e);
    }
    return count;
  }

  private static MoveException lostPage(Throwable cause) {
    IOException failure =
        new IOException("The mapped file lost a page: no space, truncated, or an I/O error", cause);
    return new MoveException(End.SINK, failure);
  }

  /// The position of a buffer outlives its mapping: it says how far the bytes came.
  private void cutBackAfter(IOException first, long sizeBefore, Span part, long moved) {
    try {
      cutBack(sizeBefore, part, moved);
    } catch (MoveException e) {
      first.addSuppressed(e);
    }
  }

  private void cutBack(long sizeBefore, Span part, long moved) throws MoveException {
    long size = Math.max(sizeBefore, moved == 0 ? 0 : part.offset() + moved);
    try {
      // A file longer than this mapping has been lengthened by somebody else meanwhile.
      if (size < part.end() && channel.size() <= part.end()) {
        channel.truncate(size);
      }
    } catch (IOException e) {
      throw new MoveException(End.SINK, e);
    }
  }

  private long sinkSize() throws MoveException {
    try {
      return channel.size();
    } catch (IOException e) {
      throw new MoveException(End.SINK, e);
    }
  }
}

package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
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

/// Maps the source and writes the mapping to the sink.
///
/// Only a sink with a descriptor is given the mapping itself, since there the kernel alone touches
/// it. Any other sink may hash or encrypt what it is given, and `java.util.zip` dies of a mapping
/// whose file was truncated: it gets copies.
final class MappedSourceMover implements Mover {

  /// A mapping is one buffer, and a buffer is below 2 GiB.
  static final long MAPPING_BYTES_MAX = 1L << 30;

  private static final int COPY_BYTES = 1 << 20;

  private final Source source;
  private final Sink sink;
  private final FileChannel channel;

  MappedSourceMover(Source source, Sink sink) {
    this.source = source;
    this.sink = sink;
    this.channel = (FileChannel) source.channel();
  }

  @Override
  public Step move(Span span) throws IOException {
    long left = sizeOf(channel) - span.offset();
    if (left <= 0) {
      return UserSpace.afterNothing("mmap", source, sink, span.offset());
    }
    long length = Math.min(Math.min(span.length(), left), MAPPING_BYTES_MAX);
    try (Mapping mapping = map(span.offset(), length)) {
      writeGuarded(mapping.bytes(), span.offset());
    }
    return new Step.Moved(length);
  }

  private Mapping map(long offset, long length) throws MoveException {
    try {
      return Mapping.of(channel, MapMode.READ_ONLY, offset, length);
    } catch (IOException e) {
      throw new MoveException(End.SOURCE, e);
    }
  }

  private void writeGuarded(ByteBuffer mapped, long offset) throws IOException {
    long end = offset + mapped.remaining();
    try {
      if (sink.traits().hasDescriptor()) {
        UserSpace.writeAll(sink, mapped, offset);
      } else {
        writeCopies(mapped, offset);
      }
    } catch (InternalError e) {
      throw truncated(e);
    } catch (IOException e) {
      // EFAULT: the kernel met a page that is gone. Its text may be translated, so the size is
      // asked too.
      if (isFault(e) || sizeOf(channel) < end) {
        throw truncated(e);
      }
      throw e;
    }
  }

  private void writeCopies(ByteBuffer mapped, long offset) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate(Math.min(COPY_BYTES, mapped.remaining()));
    long at = offset;
    while (mapped.hasRemaining()) {
      int count = Math.min(copy.capacity(), mapped.remaining());
      copy.clear().put(0, mapped, mapped.position(), count).limit(count);
      mapped.position(mapped.position() + count);
      // The error of a page that is gone may come late, with zeros in the copy: ask before using
      // it.
      if (sizeOf(channel) < at + count) {
        throw truncated(null);
      }
      UserSpace.writeAll(sink, copy, at);
      at += count;
    }
  }

  private static MoveException truncated(Throwable cause) {
    IOException failure = new IOException("The file became shorter while it was read", cause);
    return new MoveException(End.SOURCE, failure);
  }

  private static boolean isFault(IOException e) {
    return Errno.ofMessage(e.getMessage()) == Errno.EFAULT;
  }

  private static long sizeOf(FileChannel channel) throws MoveException {
    try {
      return channel.size();
    } catch (IOException e) {
      throw new MoveException(End.SOURCE, e);
    }
  }
}

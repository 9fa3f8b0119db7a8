package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.core.SpareBuffer;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.Step.Reach;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/// Reading and writing through a buffer, each failure charged to its end.
final class UserSpace {

  /// The most one buffer holds, whatever chunk was asked for.
  static final long BUFFER_BYTES_MAX = 1L << 30;

  private UserSpace() {}

  /// Reads once, at `offset`.
  ///
  /// @return the count, at least 1, or -1 at the end
  /// @throws MoveException SOURCE if reading fails
  static int read(Source source, ByteBuffer target, long offset) throws MoveException {
    int count;
    try {
      count = source.read(target, offset);
    } catch (MoveException e) {
      throw e;
    } catch (IOException e) {
      throw new MoveException(End.SOURCE, e);
    }
    if (count == 0) {
      throw new MoveException(End.SOURCE, new IOException("A read gave no byte and no end"));
    }
    return count;
  }

  /// As [Sink#writeAll].
  ///
  /// @throws MoveException SINK if writing fails
  static void writeAll(Sink sink, ByteBuffer bytes, long offset) throws MoveException {
    try {
      sink.writeAll(bytes, offset);
    } catch (MoveException e) {
      throw e;
    } catch (IOException e) {
      throw new MoveException(End.SINK, e);
    }
  }

  /// Finds out what a call meant that moved nothing: sendfile(2), splice(2) and copy_file_range(2)
  /// give 0 at the end of the source, but also for files of `/proc`, for files of some network file
  /// systems and for a target that takes nothing. Only a read proves the end.
  ///
  /// If the source cannot seek, a byte that turns up has been taken and is written on.
  static Step afterNothing(String call, Source source, Sink sink, long offset) throws IOException {
    ByteBuffer probe = ByteBuffer.allocate(1);
    if (read(source, probe, offset) < 0) {
      return new Step.Exhausted();
    }
    if (source.traits().seekable()) {
      return new Step.Declined(Reach.ROUTE, call + " moved nothing, though the source goes on");
    }
    writeAll(sink, probe.flip(), offset);
    return new Step.Moved(1);
  }

  /// A buffer of the size that a span of `bytes` deserves: `held` if it is large enough.
  ///
  /// @throws IOException if there is no memory for it
  static <B> B grown(B held, long heldBytes, long bytes, IntFunction<B> allocate)
      throws IOException {
    long wanted = Math.min(bytes, BUFFER_BYTES_MAX);
    if (heldBytes >= wanted) {
      return held;
    }
    try {
      return allocate.apply((int) wanted);
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "No memory for a buffer of " + wanted + " bytes; ask for a smaller chunk size", e);
    }
  }

  /// Reads into a buffer and writes from there.
  record BufferMover(Source source, Sink sink, SpareBuffer spare) implements Mover {

    @Override
    public Step move(Span span) throws IOException {
      ByteBuffer buffer = grown(null, 0, span.length(), spare::take);
      try {
        buffer.limit((int) Math.min(buffer.capacity(), span.length()));
        int count = read(source, buffer, span.offset());
        if (count < 0) {
          return new Step.Exhausted();
        }
        writeAll(sink, buffer.flip(), span.offset());
        return new Step.Moved(count);
      } finally {
        spare.give(buffer);
      }
    }
  }
}

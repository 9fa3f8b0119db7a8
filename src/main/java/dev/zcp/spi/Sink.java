package dev.zcp.spi;

import dev.zcp.core.Span;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// Where bytes go: the mirror of [Source].
public interface Sink extends Closeable {

  /// What [#writeZeros] writes at a time.
  int ZEROS_BYTES_MAX = 256 << 10;

  Route.Traits traits();

  /// Writes at least one byte of `bytes`, which has some, and returns how many. A sink may write
  /// fewer than it was given; the caller goes on with the rest.
  ///
  /// @param offset where to write; an end that cannot seek ignores it and appends
  /// @throws IOException if writing fails
  int write(ByteBuffer bytes, long offset) throws IOException;

  /// Writes all of `bytes`, from `offset` on. What has been written shows in their position, also
  /// after a failure.
  default void writeAll(ByteBuffer bytes, long offset) throws IOException {
    int start = bytes.position();
    while (bytes.hasRemaining()) {
      if (write(bytes, offset + bytes.position() - start) < 1) {
        throw new IOException("nothing could be written");
      }
    }
  }

  /// Writes zeros all over a span.
  default void writeZeros(Span span) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES_MAX, span.length()));
    for (Span rest = span; !rest.isEmpty(); rest = rest.skip(zeros.limit())) {
      zeros.clear().limit((int) Math.min(ZEROS_BYTES_MAX, rest.length()));
      writeAll(zeros, rest.offset());
    }
  }

  /// The channel behind this end: a [java.nio.channels.FileChannel] if the end is seekable, open
  /// for reading too.
  WritableByteChannel channel();

  /// The descriptor's number, for ends with [Route.Traits#hasDescriptor]. It stays open as long as
  /// this sink does.
  int descriptor();
}

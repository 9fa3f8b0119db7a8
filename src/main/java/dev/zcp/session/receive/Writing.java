package dev.zcp.session.receive;

import dev.zcp.core.Span;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Writes all there is, however little of it a [Sink] takes at a time.
final class Writing {

  private static final int ZEROS_BYTES = 256 << 10;

  private Writing() {}

  /// Writes what remains in `bytes`, and nothing of it does then.
  ///
  /// @param offset where the first of them goes
  /// @throws IOException as well if the sink takes nothing: it might never
  static void all(Sink sink, ByteBuffer bytes, long offset) throws IOException {
    for (long next = offset; bytes.hasRemaining(); ) {
      int count = sink.write(bytes, next);
      if (count < 1) {
        throw new IOException("nothing could be written");
      }
      next += count;
    }
  }

  /// Writes zeros all over a span.
  ///
  /// @throws IOException as [#all] does
  static void zeros(Sink sink, Span span) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, span.length()));
    for (Span rest = span; !rest.isEmpty(); rest = rest.skip(zeros.limit())) {
      zeros.clear().limit((int) Math.min(ZEROS_BYTES, rest.length()));
      all(sink, zeros, rest.offset());
    }
  }
}

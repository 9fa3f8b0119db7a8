package dev.zcp.wire;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;

/// Bytes of a file that the receiver has from before.
///
/// @param span not empty
/// @param crc32c of these bytes, as the receiver has them
public record Held(Span span, int crc32c) {

  public Held {
    if (span.isEmpty()) {
      throw new IllegalArgumentException("nothing held");
    }
  }

  /// Whether `next` follows without a gap, and both are no longer than that.
  public boolean isJoinedBy(Held next, long bytesMax) {
    return span.end() == next.span.offset() && span.length() + next.span.length() <= bytesMax;
  }

  /// These bytes and those of `next`, which follows without a gap.
  public Held joinedBy(Held next) {
    long nextBytes = next.span.length();
    return new Held(
        new Span(span.offset(), span.length() + nextBytes),
        Crc32c.combined(crc32c, next.crc32c, nextBytes));
  }
}

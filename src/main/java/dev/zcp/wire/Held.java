package dev.zcp.wire;

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
}

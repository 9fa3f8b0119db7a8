package dev.zcp.wire;

import dev.zcp.core.Span;

/// What the sender knows of a block once its bytes are gone: what became of the source, and the
/// digest.
///
/// A block whose source came to nothing is filled up with zeros to the length that was promised,
/// since the receiver counts on it.
///
/// @param block the very span of the [Data] before it
/// @param digest of the block's bytes as they went over the wire
public record Trailer(long fileId, Span block, Status status, Digest digest) implements Frame {

  public static final int PAYLOAD_BYTES = 8 + Limits.DIGEST_BYTES_MAX;

  public Trailer {
    Limits.requireFileId(fileId);
    Limits.requireBlock(block);
    if (status.isOfEndsOnly()) {
      throw new IllegalArgumentException("a block, " + status);
    }
  }

  /// The trailer of a block that was read as announced.
  public static Trailer ok(long fileId, Span block, Digest digest) {
    return new Trailer(fileId, block, Status.OK, digest);
  }
}

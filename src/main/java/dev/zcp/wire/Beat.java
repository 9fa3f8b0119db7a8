package dev.zcp.wire;

/// This end lives, and this is how far the blocks have got: what a peer goes by while the kernel
/// moves bytes that nobody can count meanwhile.
///
/// @param blockBytes raw bytes of blocks that this end has sent or received so far over this
///   connection
public record Beat(long blockBytes) implements Frame {

  static final int PAYLOAD_BYTES = 8;

  public Beat {
    Limits.requireSize(blockBytes);
  }
}

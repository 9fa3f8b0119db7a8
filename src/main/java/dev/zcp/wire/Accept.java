package dev.zcp.wire;

import dev.zcp.core.Level;

/// The receiver's answer to [Manifest]: it takes what comes, on these terms.
///
/// @param level how far it proves the arrival: at least what the sender asked for, unless the place
///   has no such proof; less than WIRE only if the sender asked for NONE
/// @param digest what blocks and parts are compared by: no less than the sender wishes; NONE for no
///   level but NONE
/// @param keeps bits of [Keep]: what it will keep. The sender leaves out the rest and says so
/// @param inOrder whether bytes must come file after file, block after block, over one connection:
///   so it is if they go to a stream
/// @param connectionsMax how many connections the session may have at a time, at least 1
/// @param windowBytes raw bytes of blocks and parts that may be under way at a time: sent and not
///   acknowledged. A unit that is alone under way may be longer
/// @param filesMax regular files that may be under way at a time and do not fit a part; at least
///   1. A file above [Limits#PART_BYTES_MAX] and a stream count from their [Offer] on, others from
///      their first [Data]; each until it is over

public record Accept(
    Level level,
    Digest.Algorithm digest,
    int keeps,
    boolean inOrder,
    int connectionsMax,
    long windowBytes,
    int filesMax)
    implements Frame {

  static final int IN_ORDER = 1;

  static final int PAYLOAD_BYTES = 24;

  public Accept {
    digest.require(level);
    Keep.require(keeps);
    if (connectionsMax < 1 || connectionsMax > Limits.CONNECTIONS_MAX) {
      throw new IllegalArgumentException(connectionsMax + " connections");
    }
    if (windowBytes < 1 || filesMax < 1) {
      throw new IllegalArgumentException("room for nothing");
    }
  }
}

package dev.zcp.wire;

import dev.zcp.core.Level;

/// The sender's first word in a session: what is to come, in all, so that a receiver that cannot
/// take it refuses before the first byte.
///
/// @param entries how many entries of all kinds, or [#UNKNOWN]
/// @param bytes the sum of the sizes of regular files, or [#UNKNOWN]
/// @param dataBytes the same without holes: what needs room, or [#UNKNOWN]
/// @param level how far the sender wants the arrival proved
/// @param digest what it wishes blocks and parts to be compared by; NONE for no level but NONE
/// @param keepExisting what the sender wants left as it is
/// @param dryRun whether nothing is to be made, and the receiver is only to say what it would do
/// @param cuts whether the sender can tell of the [Chunks] of a file
/// @param keeps bits of [Keep]: what the sender has and would like kept

public record Manifest(
    long entries,
    long bytes,
    long dataBytes,
    Level level,
    Digest.Algorithm digest,
    KeepExisting keepExisting,
    boolean dryRun,
    boolean cuts,
    int keeps)
    implements Frame {

  public static final long UNKNOWN = -1;

  static final int PAYLOAD_BYTES = 32;

  static final int DRY_RUN = 1;
  static final int CUTS = 2;

  public Manifest {
    requireKnownSize(entries);
    requireKnownSize(bytes);
    requireKnownSize(dataBytes);
    digest.require(level);
    Keep.require(keeps);
  }

  private static void requireKnownSize(long size) {
    if (size != UNKNOWN) {
      Limits.requireSize(size);
    }
  }
}

package dev.zcp.wire;

/// The limits of zcp/1. A peer that goes past one of them breaks the protocol; nothing a peer says
/// moves them.
public final class Limits {

  /// Before every frame.
  public static final int HEADER_BYTES = 32;

  /// After every control frame.
  public static final int MAC_BYTES = 16;

  /// The raw bytes of one DATA frame: one call of sendfile(2) moves less than 2 GiB.
  public static final int DATA_BYTES_MAX = 1 << 30;

  /// A message to the other end's user, in UTF-8.
  public static final int TEXT_BYTES_MAX = 1024;

  /// The widest digest that a TRAILER has room for.
  public static final int DIGEST_BYTES_MAX = 32;

  /// The longest control frame, with its header and its MAC: a buffer of this size takes each.
  public static final int CONTROL_BYTES_MAX =
      HEADER_BYTES + FrameType.LONGEST_PAYLOAD_BYTES + MAC_BYTES;

  /// Files in one session. Their ids are smaller.
  public static final long FILES_MAX = 1L << 32;

  /// Files that were announced and not yet answered: both ends keep something for each of them.
  public static final int UNANSWERED_FILES_MAX = 1 << 16;

  /// What proves the key, each way.
  public static final int PROOF_BYTES = 32;

  /// All that a receiver reads from somebody who has proved nothing yet.
  public static final int UNPROVED_BYTES_MAX = Hello.BYTES + PROOF_BYTES;

  /// From the accepted connection to the proof, all reads together: a limit for each read would let
  /// a peer that sends a byte a second stay.
  public static final long HANDSHAKE_DEADLINE_NS = 10_000_000_000L;

  private Limits() {}

  static long requireFileId(long fileId) {
    if (fileId < 0 || fileId >= FILES_MAX) {
      throw new IllegalArgumentException("no such file id: " + Long.toUnsignedString(fileId));
    }
    return fileId;
  }

  static long requireSize(long size) {
    if (size < 0) {
      throw new IllegalArgumentException("a size above 2^63-1: " + Long.toUnsignedString(size));
    }
    return size;
  }
}

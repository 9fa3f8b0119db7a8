package dev.zcp.wire;

import dev.zcp.core.Span;

/// The limits of zcp/1. A peer that goes past one of them breaks the protocol; nothing a peer says
/// moves them.
public final class Limits {

  /// Before every frame.
  public static final int HEADER_BYTES = 24;

  /// After the payload of every frame.
  public static final int MAC_BYTES = 16;

  /// The raw bytes of one DATA frame: one call of sendfile(2) moves less than 2 GiB.
  public static final int DATA_BYTES_MAX = 1 << 30;

  /// A message to the other end's user, in UTF-8.
  public static final int TEXT_BYTES_MAX = 1024;

  /// The widest digest that a TRAILER has room for.
  public static final int DIGEST_BYTES_MAX = 32;

  /// The longest frame, with its header and its MAC: a buffer of this size takes each.
  public static final int CONTROL_BYTES_MAX = HEADER_BYTES + 256 * 1024 + MAC_BYTES;

  /// The longest payload of a frame.
  public static final int PAYLOAD_BYTES_MAX = CONTROL_BYTES_MAX - HEADER_BYTES - MAC_BYTES;

  /// What all [SurplusNames] of a session have together; of what is more, only the count is told.
  public static final int SURPLUS_BYTES_MAX = 16 << 20;

  /// Records in an OFFER, a REPLY or an END.
  public static final int RECORDS_MAX = 4096;

  /// What one piece of compressed bytes comes to.
  public static final int PIECE_BYTES_MAX = 1 << 20;

  /// The raw bytes of one PART: a receiver keeps them in memory.
  public static final int PART_BYTES_MAX = 4 << 20;

  /// A path below the receiver's directory. The kernel is never given one: names are looked up one
  /// by one.
  public static final int PATH_BYTES_MAX = 32 << 10;

  /// Names in a path: how deep a tree may be.
  public static final int PATH_NAMES_MAX = 10 << 10;

  /// All extended attributes of an entry, names and values, and 5 bytes for each.
  public static final int ATTRIBUTES_BYTES_MAX = 128 << 10;

  /// The longest chunk of a file.
  public static final int CHUNK_BYTES_MAX = 2 << 20;

  /// Spans that a receiver says it holds of a file.
  public static final int HELD_MAX = 8192;

  /// Spans that a receiver says it holds of all entries that are not over: a sender remembers them.
  public static final int HELD_OF_ALL_MAX = 1 << 15;

  /// Runs of bytes that a receiver remembers of all files that are not over, those that it held
  /// among them: a sender that sends the bytes of a file in order makes few.
  public static final int RUNS_MAX = 1 << 16;

  public static final int IDENTITY_BYTES = 16;

  public static final int TREE_DIGEST_BYTES = 8;

  /// Connections of a session at a time; those that were lost are not counted.
  public static final int CONNECTIONS_MAX = 64;

  /// Files in one session. Their ids are smaller.
  public static final long FILES_MAX = 1L << 32;

  /// Entries that were offered and are not over: both ends keep something for each of them.
  public static final int ENTRIES_UNDER_WAY_MAX = 20 << 10;

  /// What those entries may weigh together: of each its name, where it leads, its attributes, and
  /// 128 bytes.
  public static final long OFFERED_BYTES_MAX = 4L << 20;

  /// Units of a connection that were sent and not acknowledged.
  public static final int UNITS_UNDER_WAY_MAX = 4096;

  /// Parts of a session that were sent and not acknowledged.
  public static final int PARTS_UNDER_WAY_MAX = 128;

  /// Looks of a connection that were sent and not answered.
  public static final int LOOKS_UNDER_WAY_MAX = 16;

  /// Stages that an end tells the latencies of.
  public static final int STAGES_MAX = 32;

  /// What these take.
  public static final int STAGES_BYTES_MAX = 64 << 10;

  /// Shares of the time that a sender tells of at the end.
  public static final int SHARES_MAX = 8;

  /// The name of a stage.
  public static final int STAGE_WORD_BYTES_MAX = 16;

  /// Cells of a histogram of three significant figures that goes up to 2^63-1.
  public static final int CELLS_MAX = 54 << 10;

  /// Slow operations that an end tells of.
  public static final int SLOWEST_MAX = 1000;

  /// What these take.
  public static final int SLOWEST_BYTES_MAX = 64 << 10;

  /// What proves the key, each way.
  public static final int PROOF_BYTES = 32;

  /// From the accepted connection to the proof, all reads together: a limit for each read would let
  /// a peer that sends a byte a second stay.
  public static final long HANDSHAKE_DEADLINE_NS = 10_000_000_000L;

  private Limits() {}

  static void requireFileId(long fileId) {
    if (fileId < 0 || fileId >= FILES_MAX) {
      throw new IllegalArgumentException("no such file id: " + Long.toUnsignedString(fileId));
    }
  }

  static long requireSize(long size) {
    if (size < 0) {
      throw new IllegalArgumentException("a size above 2^63-1: " + Long.toUnsignedString(size));
    }
    return size;
  }

  static void requireBlock(Span block) {
    if (block.isEmpty() || block.length() > DATA_BYTES_MAX) {
      throw new IllegalArgumentException("a block of " + block.length() + " bytes");
    }
  }

  static void requireRecords(int count) {
    if (count < 1 || count > RECORDS_MAX) {
      throw new IllegalArgumentException(count + " records");
    }
  }

  static void requirePayload(int bytes) {
    if (bytes > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException("records of " + bytes + " bytes");
    }
  }
}

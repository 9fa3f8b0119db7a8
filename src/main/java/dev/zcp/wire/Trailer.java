package dev.zcp.wire;

import dev.zcp.core.Span;

/// What the sender knows of a block once its bytes are gone: what became of the source, and the
/// digest.
///
/// A block whose source came to nothing is filled up with zeros to the length that was promised,
/// since the receiver counts on it; `validBytes` says how many came before them.
///
/// @param block the very span of the [Data] before it; empty where the file ends without another
///   block
/// @param last whether the file ends here; true of every status but OK
/// @param validBytes how many of the block's bytes are the source's; all, for OK and CHANGED
/// @param digest of the block's bytes as they went over the wire
public record Trailer(
    long fileId, Span block, boolean last, Status status, long validBytes, Digest digest)
    implements Frame {

  /// What became of the source.
  public enum Status {
    /// Read as announced.
    OK(0),
    /// It was shorter than announced.
    SHORT(1),
    /// Another process changed it while it was read.
    CHANGED(2),
    /// It could not be read.
    FAILED(3),
    /// The receiver had refused the file.
    CANCELLED(4);

    private static final Status[] ALL = values();

    private final int code;

    Status(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static Status ofCode(int code) {
      for (Status status : ALL) {
        if (status.code == code) {
          return status;
        }
      }
      throw new IllegalArgumentException("unknown status " + code);
    }
  }

  /// The flag.
  static final int LAST = 1;

  static final int PAYLOAD_BYTES = 16 + Limits.DIGEST_BYTES_MAX;

  public Trailer {
    Limits.requireFileId(fileId);
    if (block.length() > Limits.DATA_BYTES_MAX) {
      throw new IllegalArgumentException("a block of " + block.length() + " bytes");
    }
    if (!last && (block.isEmpty() || status != Status.OK)) {
      throw new IllegalArgumentException(
          "status " + status + " after " + block.length() + " bytes, and the file does not end");
    }
    boolean whole = status == Status.OK || status == Status.CHANGED;
    if (validBytes < 0 || validBytes > block.length() || whole && validBytes < block.length()) {
      throw new IllegalArgumentException(
          validBytes + " of " + block.length() + " bytes valid, with status " + status);
    }
  }

  /// The trailer of a block that was read as announced.
  public static Trailer ok(long fileId, Span block, boolean last, Digest digest) {
    return new Trailer(fileId, block, last, Status.OK, block.length(), digest);
  }

  @Override
  public FrameType type() {
    return FrameType.TRAILER;
  }
}

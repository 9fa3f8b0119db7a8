package dev.zcp.wire;

/// A whole small file in a batch.
///
/// @param length how many of the batch's raw bytes are its own: the file's size if `status` is OK,
///   else 0
/// @param crc32c of these bytes
/// @param status OK, or why there are none; never DIFFERS or DAMAGED
public record Piece(long fileId, int length, int crc32c, Status status) {

  public Piece {
    Limits.requireFileId(fileId);
    if (length < 0 || length > Limits.BATCH_BYTES_MAX || length > 0 && status != Status.OK) {
      throw new IllegalArgumentException("a piece of " + length + " bytes, " + status);
    }
    if (status.isOfEndsOnly()) {
      throw new IllegalArgumentException("a piece, " + status);
    }
  }
}

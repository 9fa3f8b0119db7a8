package dev.zcp.wire;

/// What the sender knows of a file, or a directory, once all of it is gone.
///
/// @param size of a regular file with status OK; else 0
/// @param crc32c of all its bytes, with status OK and a level above NONE; else 0
public record Ending(long fileId, Status status, long size, int crc32c) {

  public Ending {
    Limits.requireFileId(fileId);
    Limits.requireSize(size);
    if (status != Status.OK && (size != 0 || crc32c != 0)) {
      throw new IllegalArgumentException("the size or CRC32C of a file with status " + status);
    }
  }
}

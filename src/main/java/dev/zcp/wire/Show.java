package dev.zcp.wire;

/// What the bytes of a file are of which the receiver has said that a [whole][Answer.AnswerKind]
/// one of its size and time is there. A unit of its connection: if they are the bytes that are
/// there, the file is over by it, and well.
///
/// @param crc32c of all its bytes, whatever the level
/// @param digest SHA-256 of them, if that is the digest of the session, else NONE
public record Show(long fileId, int crc32c, Digest digest) implements Frame {

  static final int PAYLOAD_BYTES = 16 + Limits.DIGEST_BYTES_MAX;

  public Show {
    Limits.requireFileId(fileId);
    if (digest.algorithm() == Digest.Algorithm.CRC32C) {
      throw new IllegalArgumentException("a file that is shown by its CRC32C twice");
    }
  }
}

package dev.zcp.session.send;

import dev.zcp.session.BlockDigest;
import dev.zcp.session.DigestingSink;
import java.io.Closeable;
import java.io.IOException;

/// The digest of each block that one connection sends: of its bytes on their way, where they pass
/// through memory of this process, or read again beside the transfer, where the kernel moves them.
///
/// Used by one thread.
final class SentDigest implements Closeable {

  // As the report tells them.
  private static final String PROOF_BESIDE =
      "CRC32C of each block, read here from the page cache beside the transfer";
  private static final String PROOF_BETWEEN = "CRC32C of each block on its way through";

  /// Null before the first block that is read again.
  private BlockDigest beside;

  /// Of the block that was begun last; null if it is read again.
  private DigestingSink between;

  /// Begins a block, before its first byte goes out.
  void begin(OpenFiles.Open file, long offset, long end) {
    between = file.between();
    if (between != null) {
      between.begin(offset);
      return;
    }
    if (beside == null) {
      beside = new BlockDigest();
    }
    beside.begin(file.source(), offset, file.sent().log());
    beside.advance(end);
  }

  /// The CRC32C of the block, of which all bytes are out.
  ///
  /// @throws java.io.EOFException where the file ends before the block does
  /// @throws IOException if it cannot be read again
  int finish() throws IOException {
    return (int) (between != null ? between.crc32c() : beside.finish());
  }

  /// How the digest came about, for the report.
  String proof() {
    return between != null ? PROOF_BETWEEN : PROOF_BESIDE;
  }

  /// Once this has returned nothing more is read for the block.
  void abandon() {
    if (beside != null) {
      beside.abandon();
    }
  }

  @Override
  public void close() {
    if (beside != null) {
      // It may be reading what is closed next.
      beside.abandon();
      beside.close();
    }
  }
}

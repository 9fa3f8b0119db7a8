package dev.zcp.session.send;

import dev.zcp.session.BlockDigest;
import dev.zcp.session.Checksum;
import dev.zcp.session.DigestingSink;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.io.IOException;

/// The digest of each block that one connection sends: of its bytes on their way, if they pass
/// through memory of this process, or read again beside the transfer, if the kernel moves them.
///
/// Used by one thread.
final class SentDigest implements Closeable {

  // As the report tells them.
  private static final String PROOF_BESIDE =
      " of each block, read here from the page cache beside the transfer";
  private static final String PROOF_BETWEEN = " of each block on its way through";

  /// Null before the first block that is read again.
  private BlockDigest beside;

  /// Of the block that was begun last; null if it is read again.
  private DigestingSink between;

  /// Begins a block, before its first byte goes out.
  ///
  /// @param algorithm the same for each block
  void begin(OpenFiles.Open file, long offset, long end, Digest.Algorithm algorithm) {
    between = file.between();
    if (between != null) {
      between.begin(offset);
      return;
    }
    if (beside == null) {
      beside = new BlockDigest(algorithm);
    }
    beside.begin(file.source(), offset, file.sent().log());
    beside.advance(end);
  }

  /// Of the block, of which all bytes are out.
  ///
  /// @throws java.io.EOFException if the file ends before the block does
  /// @throws IOException if it cannot be read again
  Checksum.Sum finish() throws IOException {
    return between != null ? between.sum() : beside.finish();
  }

  /// How the digest came about, for the report.
  String proof(Digest.Algorithm algorithm) {
    return Checksum.label(algorithm) + (between != null ? PROOF_BETWEEN : PROOF_BESIDE);
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

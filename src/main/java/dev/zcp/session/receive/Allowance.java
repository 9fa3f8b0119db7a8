package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Admission;
import dev.zcp.wire.Offered;

/// What the user allows one session to bring, held against what comes: a manifest may be wrong, and
/// a stream's length is nowhere in it.
final class Allowance {

  private final long bytesMax;
  private final long filesMax;

  // Both are guarded by this.
  private long bytes;
  private long files;

  Allowance(Admission admission) {
    this.bytesMax = admission.bytesMax();
    this.filesMax = admission.filesMax();
  }

  /// Counts an entry that was offered, once; but not the receiver's own directory.
  ///
  /// @throws Failure DESTINATION if it is one too many
  synchronized void count(Offered entry) throws Failure {
    files += entry.path().isTop() ? 0 : 1;
    if (files > filesMax) {
      throw Failure.of(
          ExitCode.DESTINATION,
          entry.path().toString(),
          "the receiver takes " + filesMax + " entries at most (--max-files)");
    }
    if (entry.hasSize()) {
      count(entry, entry.size());
    }
  }

  /// Counts bytes of a stream that are about to be taken.
  ///
  /// @throws Failure DESTINATION if they are too many
  synchronized void countStreamed(Offered entry, long count) throws Failure {
    if (!entry.hasSize()) {
      count(entry, count);
    }
  }

  private void count(Offered entry, long count) throws Failure {
    if (count > bytesMax - bytes) {
      throw Failure.of(
          ExitCode.DESTINATION,
          entry.path().toString(),
          "the receiver takes " + new ByteSize(bytesMax) + " at most (--max-size)");
    }
    bytes += count;
  }
}

package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Admission;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Offered;

/// What the user allows one session to bring, held against what comes: a manifest may be wrong, and
/// a stream's length is nowhere in it.
public final class Allowance {

  private final long bytesMax;
  private final long filesMax;

  // Both are guarded by this.
  private long bytes;
  private long files;

  public Allowance(Admission admission) {
    this.bytesMax = admission.bytesMax();
    this.filesMax = admission.filesMax();
  }

  /// Counts an entry that was offered, once; but not the receiver's own directory.
  ///
  /// @throws Failure DESTINATION if it is one too many
  synchronized void count(Offered entry) throws Failure {
    if (!entry.path().isTop()) {
      count(entry.path());
    }
    if (entry.hasSize()) {
      countBytes(entry.path(), entry.size());
    }
  }

  /// As [#count(Offered)], of a file that is not offered.
  public synchronized void countFile(EntryPath path, long size) throws Failure {
    count(path);
    countBytes(path, size);
  }

  private void count(EntryPath path) throws Failure {
    files++;
    if (files > filesMax) {
      throw Failure.of(
          ExitCode.DESTINATION,
          path.toString(),
          "the receiver takes " + filesMax + " entries at most (--max-files)");
    }
  }

  /// Counts bytes of a stream that are about to be taken.
  ///
  /// @throws Failure DESTINATION if they are too many
  synchronized void countStreamed(Offered entry, long count) throws Failure {
    if (!entry.hasSize()) {
      countBytes(entry.path(), count);
    }
  }

  /// Counts bytes of a file, about to be taken.
  ///
  /// @throws Failure DESTINATION if they are too many
  public synchronized void countBytes(EntryPath path, long count) throws Failure {
    if (count > bytesMax - bytes) {
      throw Failure.of(
          ExitCode.DESTINATION,
          path.toString(),
          "the receiver takes " + new ByteSize(bytesMax) + " at most (--max-size)");
    }
    bytes += count;
  }
}

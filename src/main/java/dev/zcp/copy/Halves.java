package dev.zcp.copy;

import dev.zcp.io.NativeFile;
import dev.zcp.spi.MoveException;

/// Compares large files by two threads, one for each half: a comparison waits for memory, of which
/// one thread does not get all there is. Measured on 2 GiB in memory, on four processors with four
/// times as much to do: 0.90 of the time of one thread.
final class Halves {

  /// From here on a second thread is worth starting.
  static final long BYTES_MIN = 64L << 20;

  private final NativeFile source;
  private final NativeFile target;
  private final SideBySide.Pieces pieces;

  // Written by the second thread, and read when it has ended.
  private long difference = SideBySide.SAME;
  private MoveException failure;
  private Throwable defect;

  private Halves(NativeFile source, NativeFile target, SideBySide.Pieces pieces) {
    this.source = source;
    this.target = target;
    this.pieces = pieces;
  }

  /// As [SideBySide#difference] from the beginning on, without a digest.
  ///
  /// @param pieces is called by two threads at a time
  static long difference(NativeFile source, NativeFile target, long bytes, SideBySide.Pieces pieces)
      throws MoveException {
    if (bytes < BYTES_MIN) {
      return SideBySide.mine().begin(false).difference(source, target, 0, bytes, pieces);
    }
    return new Halves(source, target, pieces).difference(bytes);
  }

  private long difference(long bytes) throws MoveException {
    long half = bytes / 2 - bytes / 2 % SideBySide.PIECE_BYTES;
    Thread second = new Thread(() -> compare(half, bytes), "zcp-compare");
    second.setDaemon(true);
    second.start();
    long first;
    try {
      first = SideBySide.mine().begin(false).difference(source, target, 0, half, pieces);
    } finally {
      Joint.await(second);
    }
    if (first != SideBySide.SAME) {
      return first;
    }
    if (failure != null) {
      throw failure;
    }
    if (defect != null) {
      throw new IllegalStateException(defect);
    }
    return difference;
  }

  private void compare(long from, long end) {
    try {
      difference = SideBySide.mine().begin(false).difference(source, target, from, end, pieces);
    } catch (MoveException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      defect = e;
    }
  }
}

package dev.zcp.carrier;

import dev.zcp.insight.Samples;
import dev.zcp.insight.Stage;
import java.util.concurrent.locks.LockSupport;

/// A limit of the bytes a second that one end moves, over all its connections: a bucket that fills
/// at the rate and holds what goes in [#BURST_NS].
///
/// Any thread may call it. Who comes while the bucket is empty takes a turn behind those that came
/// before, and waits.
public final class RateLimit {

  /// How long the bucket takes to fill: what a pause may be made up for by.
  private static final long BURST_NS = 100_000_000;

  /// A second has as many pieces at least, so that waits are short and no peer takes them for a
  /// stall.
  private static final int PIECES_A_SECOND = 20;

  private static final long PIECE_BYTES_MIN = 1024;

  /// At least that of every file system that shares extents.
  private static final long BLOCK_BYTES = 64 << 10;

  private static final double NS_A_SECOND = 1e9;

  private final double bytesPerNs;
  private final long pieceBytesMax;

  /// When all that was taken so far has gone at the rate; guarded by this.
  private long freeNs;

  /// How often [#take] was called; guarded by this.
  private long takings;

  /// How long all that was taken lasts at the rate; guarded by this.
  private long takenNs;

  /// @param bytesPerSecond 0 for no limit
  public RateLimit(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("a rate of " + bytesPerSecond);
    }
    this.bytesPerNs = bytesPerSecond / NS_A_SECOND;
    this.pieceBytesMax =
        bytesPerSecond == 0
            ? Long.MAX_VALUE
            : Math.max(PIECE_BYTES_MIN, bytesPerSecond / PIECES_A_SECOND);
    this.freeNs = System.nanoTime() - BURST_NS;
  }

  public boolean isLimited() {
    return bytesPerNs != 0;
  }

  /// How many bytes to move at most before [#spend] is called again; [Long#MAX_VALUE] if there is
  /// no limit.
  public long pieceBytesMax() {
    return pieceBytesMax;
  }

  /// As [#pieceBytesMax], of steps that share extents of files: those must begin and end with a
  /// block, if a block is not too long to wait for.
  public long stepBytesMax() {
    return pieceBytesMax < BLOCK_BYTES
        ? pieceBytesMax
        : pieceBytesMax - pieceBytesMax % BLOCK_BYTES;
  }

  /// Takes `bytes` that were moved, or are about to be, and waits until that many may have gone.
  ///
  /// @param samples told of the wait, if there is one
  public void spend(long bytes, Samples samples) {
    if (bytesPerNs == 0) {
      return;
    }
    long startedNs = System.nanoTime();
    long untilNs = take(bytes, startedNs);
    long leftNs = untilNs - startedNs;
    boolean isEarly = leftNs > 0;
    // Interrupted, a thread is not to wait any more, and parks no more either.
    while (leftNs > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(leftNs);
      leftNs = untilNs - System.nanoTime();
    }
    if (isEarly) {
      samples.sample(Stage.PACE, System.nanoTime() - startedNs);
    }
  }

  /// How long the bytes of one call last at the rate, on average; 0 before the first call.
  public synchronized long intervalNs() {
    return takings == 0 ? 0 : takenNs / takings;
  }

  /// When whoever takes `bytes` at `nowNs` may go on.
  synchronized long take(long bytes, long nowNs) {
    if (freeNs - nowNs < -BURST_NS) {
      freeNs = nowNs - BURST_NS;
    }
    long lastsNs = (long) (bytes / bytesPerNs);
    takings++;
    takenNs += lastsNs;
    freeNs += lastsNs;
    return freeNs;
  }
}

package dev.zcp.engine;

import dev.zcp.core.Span;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// One large file moved by two threads, each taking the next range that nobody has taken. Two are
/// the knee: a third gains little, since both ends are one inode each, and costs a processor.
///
/// The first bytes go by the best single strategy, on trial. Where the file system shares extents,
/// that is faster than any copy can be, and goes on to the end.
///
/// Guarantees: 1. each byte is moved by one thread; 2. when [#move] returns or throws, both have
/// ended; 3. the first failure is thrown, and nothing is begun after it.
final class PairedTransfer {

  /// A smaller file is done before a second thread gets going.
  static final long BYTES_MIN = 64L << 20;

  private static final long TRIAL_BYTES = 16L << 20;
  private static final long RANGE_BYTES = 4L << 20;

  /// No memory is copied at 16 bytes a nanosecond here, and clones go at hundreds.
  private static final double CLONED_BYTES_PER_NS = 16;

  private final Transfer single;
  private final Supplier<Transfer> lanes;
  private final LongSupplier nanoTime;

  private final AtomicLong next = new AtomicLong();

  // Guarded by this.
  private long sourceEnd = Long.MAX_VALUE;
  private Throwable failure;

  /// @param single what is on trial first
  /// @param lanes makes what each of the two threads moves with
  /// @param nanoTime the clock of the trial
  PairedTransfer(Transfer single, Supplier<Transfer> lanes, LongSupplier nanoTime) {
    this.single = single;
    this.lanes = lanes;
    this.nanoTime = nanoTime;
  }

  /// Moves `span`, or as much of it as the source has.
  ///
  /// @return the bytes moved, all of them from the beginning of the span on
  long move(Span span) throws TransferException, RefusedException {
    Span trial = span.first(TRIAL_BYTES);
    long startedNs = nanoTime.getAsLong();
    long tried = single.move(trial);
    double bytesPerNs = tried / (double) Math.max(1, nanoTime.getAsLong() - startedNs);
    if (tried < trial.length()) {
      return tried;
    }
    Span rest = span.skip(tried);
    return bytesPerNs > CLONED_BYTES_PER_NS ? tried + single.move(rest) : tried + moveByTwo(rest);
  }

  private long moveByTwo(Span span) throws TransferException, RefusedException {
    next.set(span.offset());
    Thread second = new Thread(() -> work(span), "zcp-second-mover");
    second.setDaemon(true);
    second.start();
    work(span);
    boolean interrupted = false;
    while (second.isAlive()) {
      try {
        second.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome(span);
  }

  private void work(Span span) {
    try (Transfer lane = lanes.get()) {
      for (Span range = claim(span); !range.isEmpty(); range = claim(span)) {
        long moved = lane.move(range);
        if (moved < range.length()) {
          endAt(range.offset() + moved);
        }
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /// The next range, or an empty one where no more is to be done.
  private Span claim(Span span) {
    long offset = mayGoOn() ? next.getAndAdd(RANGE_BYTES) : span.end();
    return offset >= span.end()
        ? new Span(span.end(), 0)
        : new Span(offset, Math.min(RANGE_BYTES, span.end() - offset));
  }

  private synchronized boolean mayGoOn() {
    return failure == null && sourceEnd == Long.MAX_VALUE;
  }

  private synchronized void endAt(long offset) {
    sourceEnd = Math.min(sourceEnd, offset);
  }

  private synchronized void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  private synchronized long outcome(Span span) throws TransferException, RefusedException {
    if (failure == null) {
      return Math.min(sourceEnd, span.end()) - span.offset();
    }
    if (failure instanceof TransferException e) {
      throw e;
    }
    if (failure instanceof RefusedException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) failure;
  }
}

package dev.zcp.copy;

import dev.zcp.core.Span;
import dev.zcp.engine.Observer;
import dev.zcp.engine.TransferException;
import dev.zcp.io.NativeFile;
import dev.zcp.spi.MoveException.End;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Moves a large file by two threads, each of which takes the next range that nobody has: what one
/// thread copies is bound by one processor's copying of memory, and the disk takes it later.
///
/// There is one second thread at a time, however many files are copied: where several go at once,
/// the processors have enough to do.
final class TwoRanges {

  /// Less is done before a second thread has begun.
  static final long BYTES_MIN = 64L << 20;

  private static final long RANGE_BYTES = 8L << 20;

  /// One read and one write: what stays in the processor's cache in between.
  private static final int STEP_BYTES = 256 << 10;

  private final Semaphore second = new Semaphore(1);

  /// Moves `span`, or as much of it as the source has.
  ///
  /// @return where the source was seen to end, or the end of `span`; -1 where nothing was moved,
  ///   since another file has the second thread or there is no memory for it
  /// @throws TransferException where an end failed; both threads have stopped then
  long move(NativeFile source, NativeFile target, Span span, Observer observer)
      throws TransferException {
    if (!second.tryAcquire()) {
      return -1;
    }
    try {
      ByteBuffer mine = ByteBuffer.allocateDirect(STEP_BYTES);
      ByteBuffer others = ByteBuffer.allocateDirect(STEP_BYTES);
      reserve(target, span);
      Work work = new Work(source, target, span, observer);
      Thread thread = new Thread(() -> work.run(others), "zcp-range");
      thread.setDaemon(true);
      thread.start();
      work.run(mine);
      Joint.await(thread);
      return work.result();
    } catch (OutOfMemoryError e) {
      return -1;
    } finally {
      second.release();
    }
  }

  /// Blocks that are there before they are written cost both threads less waiting for each other.
  private static void reserve(NativeFile target, Span span) throws TransferException {
    try {
      target.reserve(span.offset(), span.length());
    } catch (IOException e) {
      throw new TransferException(End.SINK, span.offset(), e);
    }
  }

  /// What both threads work off.
  private static final class Work {

    private final NativeFile source;
    private final NativeFile target;
    private final Observer observer;
    private final AtomicLong next;

    /// Falls where the source ends before it was to.
    private volatile long end;

    /// The first thing that went wrong in either thread, or null.
    private volatile Throwable failure;

    Work(NativeFile source, NativeFile target, Span span, Observer observer) {
      this.source = source;
      this.target = target;
      this.observer = observer;
      this.next = new AtomicLong(span.offset());
      this.end = span.end();
    }

    void run(ByteBuffer buffer) {
      try {
        long start = next.getAndAdd(RANGE_BYTES);
        while (start < end && failure == null) {
          range(start, buffer);
          start = next.getAndAdd(RANGE_BYTES);
        }
      } catch (TransferException | RuntimeException | Error e) {
        fail(e);
      }
    }

    long result() throws TransferException {
      Throwable cause = failure;
      if (cause instanceof TransferException e) {
        throw e;
      }
      if (cause != null) {
        throw new IllegalStateException("one of two threads failed: " + cause, cause);
      }
      return end;
    }

    private void range(long start, ByteBuffer buffer) throws TransferException {
      long at = start;
      long rangeEnd = start + RANGE_BYTES;
      while (at < Math.min(rangeEnd, end) && failure == null) {
        buffer.clear().limit((int) Math.min(STEP_BYTES, Math.min(rangeEnd, end) - at));
        int count = DirectStep.move(source, target, buffer, at, observer);
        if (count < 0) {
          endAt(at);
          return;
        }
        at += count;
      }
    }

    private synchronized void endAt(long offset) {
      end = Math.min(end, offset);
    }

    private synchronized void fail(Throwable cause) {
      if (failure == null) {
        failure = cause;
      }
    }
  }
}

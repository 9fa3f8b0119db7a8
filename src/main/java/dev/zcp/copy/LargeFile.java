package dev.zcp.copy;

import dev.zcp.core.Daemon;
import dev.zcp.core.Span;
import dev.zcp.core.Uninterruptible;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.spi.MoveException.End;
import dev.zcp.tree.DataExtents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Moves what is too large for one buffer: around holes, or by two threads. Any thread may call it.
///
/// Two threads are faster if one is bound by its processor's copying of memory and the disk takes
/// the bytes later. There is one second thread at a time, however many files are copied: if several
/// go at once, the processors have enough to do.
final class LargeFile {

  /// What a thread takes at a time.
  private static final long RANGE_BYTES = 8L << 20;

  /// One read and one write: what stays in the processor's cache in between.
  private static final int STEP_BYTES = 256 << 10;

  private final Semaphore secondThread = new Semaphore(1);

  /// Where `source` has data, or null if it is to be moved from end to end, having no hole.
  static DataExtents extents(NativeFile source, FileStatus status) {
    long size = status.sizeBytes();
    if (status.hasAllBlocks()) {
      return null;
    }
    // Compressed files have few blocks, and no hole.
    DataExtents extents = new DataExtents(source, size);
    return extents.coverAll() ? null : extents;
  }

  /// Moves what `extents` has and makes the target as long as the source.
  ///
  /// @param from before it the target is what the source is; and it has nothing after
  /// @return how long the target is: shorter than `size` if the source ended early
  static long moveAroundHoles(
      DataExtents extents, Transfer transfer, long from, long size, NativeFile target)
      throws TransferException, RefusedException {
    for (Span next = extents.next(); next != null; next = extents.next()) {
      long start = Math.max(next.offset(), from);
      if (start >= next.end()) {
        continue;
      }
      Span data = new Span(start, next.end() - start);
      long moved = transfer.move(data);
      if (moved < data.length()) {
        return data.offset() + moved;
      }
    }
    resize(target, size);
    return size;
  }

  /// Moves the first `size` bytes by two threads, or as many as the source has.
  ///
  /// @return how many bytes the target has; -1 if nothing was moved, since another file has the
  ///   second thread or there is no memory for it
  /// @throws TransferException if an end failed; both threads have stopped then
  long moveByTwoThreads(NativeFile source, NativeFile target, long size, Observer observer)
      throws TransferException {
    if (!secondThread.tryAcquire()) {
      return -1;
    }
    try {
      ByteBuffer mine = ByteBuffer.allocateDirect(STEP_BYTES);
      ByteBuffer others = ByteBuffer.allocateDirect(STEP_BYTES);
      reserve(target, size);
      Ranges ranges = new Ranges(source, target, size, observer);
      Thread thread = Daemon.start(() -> ranges.run(others), "zcp-range");
      ranges.run(mine);
      Uninterruptible.join(thread);
      long end = ranges.result();
      if (end < size) {
        resize(target, end);
      }
      return end;
    } catch (OutOfMemoryError e) {
      return -1;
    } finally {
      secondThread.release();
    }
  }

  /// Blocks that are there before they are written cost both threads less waiting for each other.
  private static void reserve(NativeFile target, long bytes) throws TransferException {
    try {
      target.reserve(0, bytes);
    } catch (IOException e) {
      throw new TransferException(End.SINK, 0, e);
    }
  }

  static void resize(NativeFile target, long bytes) throws TransferException {
    try {
      target.resize(bytes);
    } catch (IOException e) {
      throw new TransferException(End.SINK, bytes, e);
    }
  }

  /// The ranges of a file that two threads take one after the other.
  private static final class Ranges {

    private final NativeFile source;
    private final NativeFile target;
    private final Observer observer;
    private final AtomicLong next = new AtomicLong();

    /// Falls if the source ends early.
    private volatile long end;

    /// The first thing that went wrong in either thread, or null.
    private volatile Throwable failure;

    Ranges(NativeFile source, NativeFile target, long size, Observer observer) {
      this.source = source;
      this.target = target;
      this.observer = observer;
      this.end = size;
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
        int count = ByteMover.step(source, target, buffer, at, observer);
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

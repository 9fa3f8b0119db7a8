package dev.zcp.session;

import dev.zcp.core.Daemon;
import dev.zcp.core.Uninterruptible;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.spi.Source;
import dev.zcp.wire.Digest;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The [Checksum] of one block, computed by a thread of its own from the page cache, beside the
/// thread that lets the kernel move the same pages. Where the block is small the caller computes it
/// itself.
///
/// Bytes are read into a small direct buffer that stays in the processor's cache, never mapped: a
/// digest over a mapping that somebody truncates kills the JVM.
///
/// One thread calls [#begin], [#advance] and [#finish], in this order, block after block.
///
/// A block that failed may be left without [#finish]; [#abandon] then lets go of its source.
///
/// Guarantees: 1. only one thread at a time works on the digest; 2. `next` never passes `limit`; 3.
/// after an exception nothing more is read until the next [#begin]; 4. once [#begin] has returned,
/// nothing more is read for the block before.
public final class BlockDigest implements Closeable {

  /// Small enough for the second-level cache, large enough that calls do not count.
  private static final int PIECE_BYTES = 256 << 10;

  /// Waking a thread costs some ten microseconds, about what it takes to digest this much.
  private static final long WAKE_BYTES_MIN = 512 << 10;

  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
  private final Checksum digest;

  private Source source;
  private FileLog log;
  private long next;
  private long limit;
  private boolean busy;
  private boolean closed;

  /// What stopped the digest: an IOException, or a defect of whatever is called here.
  private Throwable failure;

  private Thread worker;

  /// Whether what the worker is reading is of no use any more.
  private volatile boolean stale;

  public BlockDigest(Digest.Algorithm algorithm) {
    digest = new Checksum(algorithm);
  }

  /// Gives up the block that was begun: once this has returned nothing more is read for it.
  public synchronized void abandon() {
    stale = true;
    awaitRest();
    next = limit;
  }

  /// Begins a block at `offset` of `source`, of which no byte may be read yet.
  public synchronized void begin(Source source, long offset, FileLog log) {
    stale = true;
    awaitRest();
    stale = false;
    this.source = source;
    this.log = log;
    this.next = offset;
    this.limit = offset;
    this.failure = null;
    digest.reset();
  }

  public synchronized void advance(long offset) {
    limit = offset;
    if (limit - next >= WAKE_BYTES_MIN && !busy) {
      if (worker == null) {
        worker = Daemon.start(this::work, "zcp-digest");
      }
      notifyAll();
    }
  }

  /// Waits for the digest of everything up to the offset that [#advance] allowed last.
  ///
  /// @throws EOFException if the source has ended before
  /// @throws IOException if it cannot be read
  public synchronized Checksum.Sum finish() throws IOException {
    awaitRest();
    if (failure == null) {
      digestUpTo(limit);
    }
    // No switch over the patterns: its first use would cost every process 3 ms.
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return digest.sum();
  }

  @Override
  public synchronized void close() {
    closed = true;
    stale = true;
    notifyAll();
  }

  private void awaitRest() {
    Uninterruptible.await(() -> !busy, this::wait);
  }

  private void work() {
    try {
      for (long end = awaitWork(); end >= 0; end = awaitWork()) {
        digestUpTo(end);
        rest();
      }
    } catch (InterruptedException e) {
      rest();
    }
  }

  /// The offset to go to next, or -1 at the end of the transfer. The digest is the worker's until
  /// it rests.
  private synchronized long awaitWork() throws InterruptedException {
    while (!closed && (failure != null || limit - next < WAKE_BYTES_MIN)) {
      wait();
    }
    busy = !closed;
    return closed ? -1 : limit;
  }

  private synchronized void rest() {
    busy = false;
    notifyAll();
  }

  /// Called by whoever holds the digest: the worker while it is busy, else the caller.
  private void digestUpTo(long end) {
    try {
      while (next < end && !stale) {
        long startedNs = System.nanoTime();
        piece.clear().limit((int) Math.min(PIECE_BYTES, end - next));
        int count = source.read(piece, next);
        if (count < 1) {
          throw new EOFException("the file ended at " + next);
        }
        digest.update(piece.flip());
        log.sample(Stage.DIGEST, next, count, System.nanoTime() - startedNs);
        next += count;
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }
}

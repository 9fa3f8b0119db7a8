package dev.zcp.bench;

import dev.zcp.insight.StageBook;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;

/// Forces what a contender wrote to its device, when it is time: on the contender's own thread, or
/// on one beside it.
///
/// Requests that come while the thread beside it is at work become one, as in a broker that flushes
/// what there is; so nothing queues up.
final class Forcer implements Closeable {

  /// How a contender's target is forced: fdatasync(2), or msync(2) for a mapping.
  @FunctionalInterface
  interface Force {
    void force() throws IOException;
  }

  static final Force NONE = () -> {};

  private final Cell.ForceRule forcing;
  private final StageBook book;

  /// Of the contender's thread alone.
  private long unforcedBytes;

  // All below is guarded by this.
  private Force force = NONE;
  private boolean asked;
  private boolean busy;
  private boolean closed;
  private Throwable failure;

  /// @param book gets the latency of each force
  Forcer(Cell.ForceRule forcing, StageBook book) {
    this.forcing = forcing;
    this.book = book;
    if (forcing.asynchronous()) {
      Thread.ofPlatform().daemon().name("zcp-bench-force").start(this::serve);
    }
  }

  /// @param how what a thread other than the caller's may call until [#finish]
  synchronized void begin(Force how) {
    force = how;
  }

  /// More was written. Throws nothing, since observers must not: [#finish] tells what went wrong.
  void wrote(long bytes) {
    if (forcing.everyBytes() > 0) {
      unforcedBytes += bytes;
      if (unforcedBytes >= forcing.everyBytes()) {
        request();
      }
    }
  }

  /// Forces what is not forced yet, and waits until all is.
  ///
  /// @throws IOException the first failure of all forces since [#begin], as is what else they throw
  void finish() throws IOException {
    if (unforcedBytes > 0) {
      request();
    }
    synchronized (this) {
      try {
        while (asked || busy) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("given up while it was forced").initCause(e);
      }
      force = NONE;
      switch (failure) {
        case null -> {}
        case IOException e -> throw e;
        // MappedByteBuffer.force declares none.
        case UncheckedIOException e -> throw e.getCause();
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(failure);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  private synchronized void request() {
    unforcedBytes = 0;
    if (forcing.asynchronous()) {
      asked = true;
      notifyAll();
    } else {
      note(forced(force));
    }
  }

  private void serve() {
    while (true) {
      Force mine;
      synchronized (this) {
        while (!asked && !closed) {
          try {
            wait();
          } catch (InterruptedException e) {
            return;
          }
        }
        if (closed) {
          return;
        }
        asked = false;
        busy = true;
        mine = force;
      }
      Throwable thrown = forced(mine);
      synchronized (this) {
        busy = false;
        note(thrown);
        notifyAll();
      }
    }
  }

  private synchronized void note(Throwable thrown) {
    failure = failure == null ? thrown : failure;
  }

  /// What was thrown, whatever it was: who waits for the end would wait for ever, and must be told.
  /// Null if nothing was.
  private Throwable forced(Force how) {
    long startedNs = System.nanoTime();
    try {
      how.force();
      if (how != NONE) {
        book.book(System.nanoTime() - startedNs);
      }
      return null;
    } catch (Exception | Error e) {
      return e;
    }
  }
}

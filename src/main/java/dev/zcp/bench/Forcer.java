package dev.zcp.bench;

import dev.zcp.insight.StageBook;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

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

  /// Null if the contender's own thread forces.
  private final ExecutorService beside;

  /// Whether the thread beside it is to force, and has not begun to.
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /// The first that was thrown.
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private volatile Force force = NONE;

  /// Of the contender's thread alone.
  private long unforcedBytes;

  /// @param book gets the latency of each force
  Forcer(Cell.ForceRule forcing, StageBook book) {
    this.forcing = forcing;
    this.book = book;
    this.beside =
        forcing.asynchronous()
            ? Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("zcp-bench-force").factory())
            : null;
  }

  /// @param how what a thread other than the caller's may call until [#finish]
  void begin(Force how) {
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
    if (beside != null) {
      try {
        // Behind the last force.
        beside.submit(() -> {}).get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("given up while it was forced").initCause(e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    force = NONE;
    switch (failure.get()) {
      case null -> {}
      case IOException e -> throw e;
      // MappedByteBuffer.force declares none.
      case UncheckedIOException e -> throw e.getCause();
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure.get());
    }
  }

  @Override
  public void close() {
    if (beside != null) {
      beside.shutdown();
    }
  }

  private void request() {
    unforcedBytes = 0;
    if (beside == null) {
      force();
    } else if (isAsked.compareAndSet(false, true)) {
      beside.execute(
          () -> {
            isAsked.set(false);
            force();
          });
    }
  }

  /// Keeps what is thrown, whatever it is: who waits for the end must be told.
  private void force() {
    Force how = force;
    long startedNs = System.nanoTime();
    try {
      how.force();
      if (how != NONE) {
        book.book(System.nanoTime() - startedNs);
      }
    } catch (Exception | Error e) {
      failure.compareAndSet(null, e);
    }
  }
}

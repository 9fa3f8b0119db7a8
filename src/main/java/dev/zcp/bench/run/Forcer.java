package dev.zcp.bench.run;

import dev.zcp.bench.plan.Forcing;
import dev.zcp.insight.StageBook;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Forces what a contender wrote to its device, when it is time: on the contender's own thread, or
/// on one beside it.
///
/// Of the thread beside it, requests that come while it is at work become one, as in a broker that
/// flushes what there is; so nothing queues up.
final class Forcer implements Closeable {

  /// How a contender's target is forced: fdatasync(2), or msync(2) for a mapping.
  @FunctionalInterface
  interface Force {
    void force() throws IOException;
  }

  private static final Force NONE = () -> {};

  private final Forcing forcing;
  private final StageBook book;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Of the contender's thread alone.
  private long unforcedBytes;

  // Guarded by the lock.
  private Force force = NONE;
  private boolean asked;
  private boolean busy;
  private boolean closed;
  private Throwable failure;

  /// With a thread of its own where `forcing` asks for one.
  ///
  /// @param book gets the latency of each force
  Forcer(Forcing forcing, StageBook book) {
    this.forcing = forcing;
    this.book = book;
    if (forcing.asynchronous()) {
      Thread.ofPlatform().daemon().name("zcp-bench-force").start(this::serve);
    }
  }

  /// What is written from now on is forced by `how`, which a thread other than the caller's may
  /// call until [#finish].
  void begin(Force how) {
    lock.lock();
    try {
      force = how;
    } finally {
      lock.unlock();
    }
  }

  /// More was written. Throws nothing, since observers must not: [#finish] tells what went wrong.
  void wrote(long bytes) {
    if (forcing.everyBytes() == 0) {
      return;
    }
    unforcedBytes += bytes;
    if (unforcedBytes >= forcing.everyBytes()) {
      request();
    }
  }

  /// `meter`, after each call of which it may be time to force: the time that takes belongs to no
  /// call.
  SamplingObserver after(SamplingObserver meter) {
    return new Forced(meter, this);
  }

  /// Forces what is not forced yet, and waits until all is.
  ///
  /// @throws IOException the first failure of all forces since [#begin], as is what else they throw
  void finish() throws IOException {
    if (unforcedBytes > 0) {
      request();
    }
    lock.lock();
    try {
      while (asked || busy) {
        changed.await();
      }
      force = NONE;
      throwFailure();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("given up while it was forced").initCause(e);
    } finally {
      lock.unlock();
    }
  }

  /// Ends the thread.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void throwFailure() throws IOException {
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

  private void request() {
    unforcedBytes = 0;
    lock.lock();
    try {
      if (forcing.asynchronous()) {
        asked = true;
        changed.signalAll();
      } else {
        note(met(force));
      }
    } finally {
      lock.unlock();
    }
  }

  private void serve() {
    lock.lock();
    try {
      while (!closed) {
        if (asked) {
          asked = false;
          serveOnce();
        } else {
          changed.awaitUninterruptibly();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// Holds the lock before and after, and not while it forces.
  private void serveOnce() {
    Force mine = force;
    busy = true;
    lock.unlock();
    Throwable met = met(mine);
    lock.lock();
    busy = false;
    note(met);
    changed.signalAll();
  }

  private void note(Throwable met) {
    failure = failure == null ? met : failure;
  }

  /// What went wrong, whatever it was: whoever waits for the end would wait for ever, and is who
  /// must be told. Null where nothing did.
  private Throwable met(Force how) {
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

  private record Forced(SamplingObserver meter, Forcer forcer) implements SamplingObserver {

    @Override
    public boolean wantsTimeOf(long bytesMax) {
      return meter.wantsTimeOf(bytesMax);
    }

    @Override
    public void moved(String strategy, long bytes, long elapsedNs) {
      meter.moved(strategy, bytes, elapsedNs);
      forcer.wrote(bytes);
    }

    @Override
    public void read(long bytes, long elapsedNs) {
      meter.read(bytes, elapsedNs);
    }

    @Override
    public void written(long bytes, long elapsedNs) {
      meter.written(bytes, elapsedNs);
    }

    @Override
    public void declined(String strategy, String reason) {
      meter.declined(strategy, reason);
    }
  }
}

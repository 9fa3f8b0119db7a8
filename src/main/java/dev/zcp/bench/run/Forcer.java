package dev.zcp.bench.run;

import dev.zcp.bench.plan.Forcing;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
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
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Of the contender's thread alone.
  private long unforcedBytes;

  // Guarded by the lock.
  private Force force = NONE;
  private boolean asked;
  private boolean busy;
  private boolean closed;
  private IOException failure;

  /// With a thread of its own where `forcing` asks for one.
  Forcer(Forcing forcing) {
    this.forcing = forcing;
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

  /// `out`, after each write of which it may be time to force.
  ArrayLoop.Output after(ArrayLoop.Output out) {
    return (source, bytes) -> {
      out.write(source, bytes);
      wrote(bytes);
    };
  }

  /// Forces what is not forced yet, and waits until all is.
  ///
  /// @throws IOException the first failure of all forces since [#begin]
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
      if (failure != null) {
        throw failure;
      }
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

  private void request() {
    unforcedBytes = 0;
    lock.lock();
    try {
      if (forcing.asynchronous()) {
        asked = true;
        changed.signalAll();
      } else {
        run(force);
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
    IOException met = null;
    try {
      mine.force();
    } catch (IOException | RuntimeException e) {
      met = e instanceof IOException io ? io : new IOException(e);
    }
    lock.lock();
    busy = false;
    failure = failure == null ? met : failure;
    changed.signalAll();
  }

  private void run(Force how) {
    try {
      how.force();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
  }
}

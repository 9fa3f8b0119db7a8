package dev.zcp.session.receive;

import dev.zcp.session.Sessions;
import java.io.Closeable;

/// So much of something that all sessions of a receiver may use together. Each session is sure of
/// its part, so that none can keep it from the others; what is left over is for whoever asks first.
///
/// What a session may have under way by the protocol ([dev.zcp.wire.Limits]), its descriptors
/// ([TargetDirectory]) and its [ReceivingWorkers] are parts of the same kind that are told or fixed
/// beforehand: [Sessions#SESSIONS_MAX] sessions that use all of it fit the heap of 512 MiB that zcp
/// is started with.
final class Budget {

  private final long part;

  /// What nobody has taken of what is left over; guarded by this.
  private long common;

  /// @param part that each session is sure of
  /// @param common besides, for all
  Budget(long part, long common) {
    this.part = part;
    this.common = common;
  }

  /// All that can be in use at a time.
  long total() {
    return Sessions.SESSIONS_MAX * part + common;
  }

  /// What one session uses. Any thread may call it.
  final class Share implements Closeable {

    private long used;

    /// Takes `count` if there is as much.
    boolean take(long count) {
      synchronized (Budget.this) {
        long borrowed = borrowed(used + count) - borrowed(used);
        if (borrowed > common) {
          return false;
        }
        common -= borrowed;
        used += count;
        return true;
      }
    }

    /// Waits until there is as much, and takes it: at most the part that each session is sure of.
    void await(long count) throws InterruptedException {
      synchronized (Budget.this) {
        while (!take(count)) {
          Budget.this.wait();
        }
      }
    }

    void giveBack(long count) {
      synchronized (Budget.this) {
        common += borrowed(used) - borrowed(used - count);
        used -= count;
        Budget.this.notifyAll();
      }
    }

    /// Gives all of it back.
    @Override
    public void close() {
      synchronized (Budget.this) {
        giveBack(used);
      }
    }
  }

  private long borrowed(long used) {
    return Math.max(0, used - part);
  }
}

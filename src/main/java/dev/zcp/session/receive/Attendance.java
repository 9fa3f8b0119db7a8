package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/// Who is in a session: its connections, and the threads that work for it. The last one out closes
/// it, once it is over.
///
/// ```
/// NEW --up--> LIVE --down--> ORPHANED --up--> LIVE
/// any of them --end--> OVER
/// ```
///
/// A session that was orphaned for too long is ended by whoever waits in [#awaitReturn].
final class Attendance {

  private static final Outbox[] NONE = {};

  private final int connectionsMax;

  /// Those that are up. Replaced as a whole under the lock, read without it.
  private volatile Outbox[] outboxes = NONE;

  private volatile boolean over;

  // All below is guarded by this.
  private final BitSet numbers = new BitSet();
  private int inside;
  private int joining;
  private boolean began;
  private long orphanedSinceNs;
  private Failure loss;
  private Failure ending;

  Attendance(int connectionsMax) {
    this.connectionsMax = connectionsMax;
  }

  /// The answer to a connection that asks to be let in.
  enum Admittance {
    WELCOME,
    FULL,
    UNWANTED
  }

  /// Lets a connection in, which has yet to come [up][#up]. Where it is welcome, [#leave] is due.
  synchronized Admittance join(int number) {
    if (over || numbers.get(number)) {
      return Admittance.UNWANTED;
    }
    if (outboxes.length + joining >= connectionsMax) {
      return Admittance.FULL;
    }
    numbers.set(number);
    joining++;
    inside++;
    return Admittance.WELCOME;
  }

  /// A connection that was let in never came up.
  synchronized void missed() {
    joining--;
    notifyAll();
  }

  /// @return how many are up now; 0 if the session is over, and this one does not count
  synchronized int up(Outbox outbox) {
    joining--;
    if (over) {
      return 0;
    }
    began = true;
    outboxes = Arrays.copyOf(outboxes, outboxes.length + 1);
    outboxes[outboxes.length - 1] = outbox;
    notifyAll();
    return outboxes.length;
  }

  /// @param why it is lost; null if it is not, but has said all
  /// @return how many are left
  synchronized int down(Outbox outbox, Failure why) {
    Outbox[] left = new Outbox[outboxes.length - 1];
    int count = 0;
    for (Outbox each : outboxes) {
      if (each != outbox) {
        left[count++] = each;
      }
    }
    outboxes = left;
    if (count == 0) {
      orphanedSinceNs = System.nanoTime();
      loss = why;
    }
    return count;
  }

  Outbox[] outboxes() {
    return outboxes;
  }

  /// Another thread works for the session, unless it is over.
  ///
  /// @return whether it may; then [#leave] is due
  synchronized boolean enter() {
    if (over) {
      return false;
    }
    inside++;
    return true;
  }

  /// @return whether the caller is the last one out, and is to close the session
  synchronized boolean leave() {
    return --inside == 0;
  }

  /// Waits until some connection is up again, or the session is over; where none comes back in
  /// time, it is over by this.
  ///
  /// @param patienceNs how long it may be without a connection
  synchronized void awaitReturn(long patienceNs) throws InterruptedException {
    while (!over && began && outboxes.length == 0) {
      long leftNs = patienceNs - (System.nanoTime() - orphanedSinceNs);
      if (leftNs <= 0 && joining == 0) {
        end(loss);
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, 1_000_000));
      }
    }
  }

  /// Nothing more is to be done, but for what is under way.
  ///
  /// @param why null if all is well
  /// @return whether it was not over before
  synchronized boolean end(Failure why) {
    if (over) {
      return false;
    }
    ending = why;
    over = true;
    notifyAll();
    return true;
  }

  /// Ends the session if it has no connection.
  ///
  /// @return whether this ended it
  synchronized boolean endIfOrphaned() {
    return began && outboxes.length == 0 && joining == 0 && end(loss);
  }

  /// Why it is over; null if it is not, or is and all was well.
  synchronized Failure ending() {
    return ending;
  }

  boolean isOver() {
    return over;
  }

  /// Whether a connection was ever up.
  synchronized boolean hasBegun() {
    return began;
  }
}

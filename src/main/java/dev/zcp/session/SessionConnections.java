package dev.zcp.session;

import dev.zcp.core.Failure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The connections of a session, and the threads that work for it. The last one out closes the
/// session, once it is over.
///
/// ```
/// NEW --up--> LIVE --down--> ORPHANED --up--> LIVE
/// any of them --end--> OVER
/// ```
///
/// A session that was orphaned for too long is ended by whoever waits in [#awaitReturn].
///
/// @param <C> what a session knows of one of its connections
public final class SessionConnections<C> {

  private final int connectionsMax;

  /// Those that are up. Replaced as a whole under the lock, read without it.
  private volatile List<C> open = List.of();

  private volatile boolean over;

  private volatile long activeNs = System.nanoTime();

  // All below is guarded by this.
  private final BitSet numbers = new BitSet();
  private int inside;
  private int joining;
  private boolean began;
  private long orphanedSinceNs;
  private Failure loss;
  private Failure ending;

  public SessionConnections(int connectionsMax) {
    this.connectionsMax = connectionsMax;
  }

  /// The answer to a connection that asks to be let in.
  public enum Admittance {
    WELCOME,
    FULL,
    UNWANTED
  }

  /// Lets a connection in, which has yet to come [up][#up]. Where it is welcome, [#leave] is due.
  public synchronized Admittance join(int number) {
    if (over || numbers.get(number)) {
      return Admittance.UNWANTED;
    }
    if (open.size() + joining >= connectionsMax) {
      return Admittance.FULL;
    }
    numbers.set(number);
    joining++;
    inside++;
    return Admittance.WELCOME;
  }

  /// A connection that was let in never came up.
  public synchronized void missed() {
    joining--;
    notifyAll();
  }

  /// @return how many are up now; 0 if the session is over, and this one does not count
  public synchronized int up(C connection) {
    joining--;
    if (over) {
      return 0;
    }
    began = true;
    List<C> more = new ArrayList<>(open);
    more.add(connection);
    open = List.copyOf(more);
    notifyAll();
    return more.size();
  }

  /// A connection is no more. To be called as soon as that is known, and if it is not known whether
  /// it was called.
  ///
  /// @param why it is lost; null if it is not, but has said all
  public synchronized void down(C connection, Failure why) {
    List<C> left = new ArrayList<>(open);
    if (!left.remove(connection)) {
      return;
    }
    open = List.copyOf(left);
    if (left.isEmpty()) {
      orphanedSinceNs = System.nanoTime();
      loss = why;
    }
    notifyAll();
  }

  public List<C> open() {
    return open;
  }

  /// How many there are, with those that were let in and are not up yet.
  synchronized int count() {
    return open.size() + joining;
  }

  /// Waits until `isSo`, which is asked whenever a connection has come or gone, the session is
  /// over, or something else has [changed][#changed]; at most so long.
  public synchronized void await(BooleanSupplier isSo, long limitNs) {
    long endNs = System.nanoTime() + limitNs;
    try {
      for (long leftNs = limitNs; leftNs > 0 && !isSo.getAsBoolean(); ) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, 1_000_000));
        leftNs = endNs - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Something that somebody [waits][#await] for may have changed.
  public synchronized void changed() {
    notifyAll();
  }

  /// Another thread works for the session, unless it is over.
  ///
  /// @return whether it may; then [#leave] is due
  public synchronized boolean enter() {
    if (over) {
      return false;
    }
    inside++;
    return true;
  }

  /// @return whether the caller is the last one out, and is to close the session
  public synchronized boolean leave() {
    return --inside == 0;
  }

  /// Waits until some connection is up again, or the session is over; if none comes back in time,
  /// it is over by this.
  ///
  /// @param patienceNs how long it may be without a connection
  public synchronized void awaitReturn(long patienceNs) throws InterruptedException {
    while (!over && began && open.isEmpty()) {
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
  public synchronized boolean end(Failure why) {
    if (over) {
      return false;
    }
    ending = why;
    over = true;
    notifyAll();
    return true;
  }

  /// Ends the session if it has no connection, and has had none for this long.
  ///
  /// @return whether this ended it
  public synchronized boolean endIfOrphaned(long patienceNs) {
    return began
        && open.isEmpty()
        && joining == 0
        && System.nanoTime() - orphanedSinceNs >= patienceNs
        && end(loss);
  }

  /// Something is done for the peer, or was heard of it, besides that it lives.
  public void act() {
    activeNs = System.nanoTime();
  }

  public long idleNs() {
    return System.nanoTime() - activeNs;
  }

  /// Why it is over; null if it is not, or is and all was well.
  public synchronized Failure ending() {
    return ending;
  }

  public boolean isOver() {
    return over;
  }

  public synchronized boolean hasBegun() {
    return began;
  }
}

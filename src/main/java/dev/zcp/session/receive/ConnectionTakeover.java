package dev.zcp.session.receive;

import dev.zcp.exchange.ReceivingEnd;
import dev.zcp.session.SessionConnections;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Who waits for others to be gone from a session: one of its connections for another one, and
/// another session for all of them.
///
/// The end of a connection may be read long after the sender has given it up; so whoever waits is
/// woken when one is down, and looks again and again whether to wait still makes sense.
final class ConnectionTakeover implements PathLocks.Holder {

  /// How long another session may wait for this one to give way: for a step of the transfer that is
  /// under way.
  private static final long GIVE_WAY_NS_MAX = 10_000_000_000L;

  /// The end of a sender that was killed is read only after all that it had sent: how long another
  /// session may wait for it before this one counts as alive, and for how long it then does.
  private static final long SHOW_LIFE_NS = 2_000_000_000L;

  private static final long ALIVE_NS = 10_000_000_000L;

  /// How often whoever waits for a connection to go down looks whether that still makes sense.
  private static final long LOOK_MS = 100;

  private final ReceivingEnd end;
  private final SessionConnections<Outbox> connections;
  private final long showLifeNs;
  private final CountDownLatch allLeft = new CountDownLatch(1);

  // All below is guarded by this.

  /// The numbers of connections that were [abandoned][#abandon].
  private final BitSet abandoned = new BitSet();

  /// Until when nobody has to wait to see whether the sender is there; null if that was not seen.
  private Long aliveUntilNs;

  /// @param stallTimeoutNs how long a sender waits that hears nothing new: it must not be made to
  ///   wait for more than half of that
  ConnectionTakeover(
      ReceivingEnd end, SessionConnections<Outbox> connections, long stallTimeoutNs) {
    this.end = end;
    this.connections = connections;
    this.showLifeNs = Math.min(SHOW_LIFE_NS, stallTimeoutNs / 2);
  }

  /// Cuts a connection that the sender has given up, and waits until nothing is in hand on it.
  ///
  /// @param own the number of the connection that waits
  /// @throws IOException if it is cut itself meanwhile: two that waited for each other would wait
  ///   for ever
  synchronized void abandon(int own, int number) throws IOException, InterruptedException {
    for (Outbox each : connections.open()) {
      if (each.number() == number) {
        each.connection().cut();
      }
    }
    abandoned.set(number);
    notifyAll();
    while (end.isUp(number)) {
      if (abandoned.get(own) || connections.isOver()) {
        throw new IOException("given up for another connection");
      }
      wait(LOOK_MS);
    }
  }

  /// A connection is down, and nothing is in hand on it.
  synchronized void tellThatOneIsDown() {
    notifyAll();
  }

  /// Nobody is left in the session, and what it had under way is given up.
  void tellThatAllLeft() {
    allLeft.countDown();
  }

  @Override
  public boolean isLettingGo(long fileId) {
    return !connections.isOver() && end.isOver(fileId);
  }

  /// If it has lost all its connections, or loses them within a moment, or is ending anyway, it
  /// gives up what it has under way.
  @Override
  public boolean giveWay() {
    try {
      return !isAlive() && allLeft.await(GIVE_WAY_NS_MAX, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Whether there is still a sender, as far as can be told; else the session is over. Waits for
  /// its end, but not each time that somebody asks.
  private synchronized boolean isAlive() throws InterruptedException {
    long begunNs = System.nanoTime();
    while (!connections.endIfOrphaned(0) && !connections.isOver()) {
      long nowNs = System.nanoTime();
      if (aliveUntilNs != null && nowNs - aliveUntilNs < 0) {
        return true;
      }
      if (nowNs - begunNs >= showLifeNs) {
        aliveUntilNs = nowNs + ALIVE_NS;
        return true;
      }
      wait(LOOK_MS);
    }
    return false;
  }
}

package dev.zcp.session;

import dev.zcp.carrier.Carrier;
import dev.zcp.insight.Result;
import dev.zcp.linux.OwnProcess;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Welcome;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/// The sessions of an end that listens, by their ids. Their number is bounded, and that of their
/// connections; one that has no connection left makes room for whoever comes, and else the one that
/// was idle for the longest.
public final class Sessions {

  public static final int SESSIONS_MAX = 16;

  /// With those that are ending.
  private static final int ALL_MAX = 2 * SESSIONS_MAX;

  /// A session for whose peer nothing was done for so long may make room.
  private static final long IDLE_NS = 5_000_000_000L;

  /// What a session had is garbage of the old generation, which the collector leaves there until
  /// the heap is full. After so many it is collected: 16 MiB of small sessions.
  private static final int COLLECTED_SESSIONS = 64;

  /// Begins a session. It must not wait for anything.
  @FunctionalInterface
  public interface Factory {

    /// @param first the connection that it begins with
    /// @param whenClosed told when nobody is left in the session, with its result; with null if it
    ///   never began
    PeerSession begin(Carrier first, BiConsumer<PeerSession, Result> whenClosed);
  }

  /// Of the descriptors of the process connections get a quarter, and one with TLS has three.
  private static final int CONNECTIONS_SHARE = 12;

  private final Factory factory;
  private final boolean once;
  private final boolean isRepeatable;

  /// Beyond so many connections no session gets one beside another.
  private final int connectionsMax;

  // All below is guarded by this.

  /// The oldest first.
  private final Map<Bytes, PeerSession> all = new LinkedHashMap<>();

  /// Those of them that made room for another one and are about to close.
  private final Set<PeerSession> displaced = new HashSet<>();

  private int closed;
  private Result result;
  private Runnable whenOver = () -> {};

  /// @param once whether only one session is to be served; one that has lost all its connections
  ///   makes room for another and was not it
  /// @param isRepeatable whether another session could have what one that has begun has had: not of
  ///   a stream, so that the first that begins is the only one
  public Sessions(Factory factory, boolean once, boolean isRepeatable) {
    this(factory, once, isRepeatable, OwnProcess.descriptorsMax());
  }

  /// @param descriptorsMax of the process
  Sessions(Factory factory, boolean once, boolean isRepeatable, int descriptorsMax) {
    this.connectionsMax = descriptorsMax / CONNECTIONS_SHARE;
    this.factory = factory;
    this.once = once || !isRepeatable;
    this.isRepeatable = isRepeatable;
  }

  /// Has `run` called when the only session that is to be served is over.
  synchronized void whenOver(Runnable run) {
    whenOver = run;
  }

  /// The answer to a connection whose dialler has proved the key.
  ///
  /// @param session the one that it may join, and [PeerSession#leave] is due; else null
  /// @param isLate whether the session that it is of, or may be of, is over
  record Admitted(Welcome status, PeerSession session, boolean isLate) {

    static Admitted none(Welcome status) {
      return new Admitted(status, null, false);
    }

    static Admitted late() {
      return new Admitted(Welcome.NO_SESSION, null, true);
    }
  }

  synchronized Admitted admit(Bytes id, int number, Carrier carrier) {
    PeerSession session = all.get(id);
    if (session == null) {
      if (number != 0) {
        return result == null ? Admitted.none(Welcome.NO_SESSION) : Admitted.late();
      }
      if (!makeRoom()) {
        return Admitted.none(Welcome.BUSY);
      }
      session = factory.begin(carrier, (closed, ended) -> closed(id, closed, ended));
      all.put(id, session);
    } else if (session.connections().count() > 0 && connections() >= connectionsMax) {
      return Admitted.none(Welcome.BUSY);
    }
    return switch (session.connections().join(number)) {
      case WELCOME -> new Admitted(Welcome.ACCEPTED, session, false);
      case FULL -> Admitted.none(Welcome.BUSY);
      case UNWANTED ->
          session.connections().isOver() ? Admitted.late() : Admitted.none(Welcome.NO_SESSION);
    };
  }

  /// The result of the session that was to be served once, or null if it is not over.
  synchronized Result result() {
    return result;
  }

  private int connections() {
    int count = 0;
    for (PeerSession each : all.values()) {
      count += each.connections().count();
    }
    return count;
  }

  private boolean makeRoom() {
    if (!isRepeatable) {
      // One that never began has gone by now, and left no result.
      return result == null && all.isEmpty();
    }
    if (once) {
      return result == null && (all.size() == displaced.size() || displaceAnOrphan());
    }
    int others = 0;
    for (PeerSession each : all.values()) {
      others += each.connections().isOver() ? 0 : 1;
    }
    return all.size() < ALL_MAX
        && (others < SESSIONS_MAX || displaceAnOrphan() || displaceAnIdler());
  }

  /// Ends the oldest of the sessions that have lost all their connections.
  private boolean displaceAnOrphan() {
    for (PeerSession each : all.values()) {
      if (each.connections().endIfOrphaned(0)) {
        displaced.add(each);
        return true;
      }
    }
    return false;
  }

  private boolean displaceAnIdler() {
    PeerSession idlest = null;
    for (PeerSession each : all.values()) {
      boolean isIdle = !each.connections().isOver() && each.idleNs() >= IDLE_NS;
      if (isIdle && (idlest == null || each.idleNs() > idlest.idleNs())) {
        idlest = each;
      }
    }
    return idlest != null && idlest.giveWay();
  }

  private void closed(Bytes id, PeerSession session, Result ended) {
    Runnable over;
    boolean isCollected;
    synchronized (this) {
      all.remove(id, session);
      closed++;
      isCollected = closed % COLLECTED_SESSIONS == 0;
    }
    if (isCollected) {
      System.gc();
    }
    synchronized (this) {
      if (displaced.remove(session) || !once || ended == null) {
        return;
      }
      result = ended;
      over = whenOver;
    }
    over.run();
  }
}

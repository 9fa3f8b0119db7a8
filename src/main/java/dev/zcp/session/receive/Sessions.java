package dev.zcp.session.receive;

import dev.zcp.insight.Result;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Welcome;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The sessions of a receiver, by their ids. Their number is bounded; one that has no connection
/// left makes room for whoever comes, and else the one that was idle for the longest.
final class Sessions {

  /// With those that are ending.
  private static final int ALL_MAX = 2 * Budget.SESSIONS_MAX;

  /// A session for whose sender nothing was done for so long may make room.
  private static final long IDLE_NS = 5_000_000_000L;

  private final Means means;
  private final boolean once;
  private final Runnable whenOver;

  // All below is guarded by this.

  /// The oldest first.
  private final Map<Octets, ReceivingSession> all = new LinkedHashMap<>();

  /// Those of them that made room for another one and are about to close.
  private final Set<ReceivingSession> displaced = new HashSet<>();

  private Result result;

  /// @param once whether only one session is to be served; one that has lost all its connections
  ///   makes room for another and was not it
  /// @param whenOver called when that one is over
  Sessions(Means means, boolean once, Runnable whenOver) {
    this.means = means;
    this.once = once;
    this.whenOver = whenOver;
  }

  /// The answer to a connection whose sender has proved the key.
  ///
  /// @param session where it may come in, and [ReceivingSession#leave] is due; else null
  /// @param isLate whether the session that it is of, or may be of, is over
  record Admitted(Welcome.Status status, ReceivingSession session, boolean isLate) {

    static Admitted none(Welcome.Status status) {
      return new Admitted(status, null, false);
    }

    static Admitted late() {
      return new Admitted(Welcome.Status.NO_SESSION, null, true);
    }
  }

  /// Answers a connection.
  ///
  /// @param peer the sender, for messages
  synchronized Admitted admit(Octets id, int number, String peer) {
    ReceivingSession session = all.get(id);
    if (session == null) {
      if (number != 0) {
        return result == null ? Admitted.none(Welcome.Status.NO_SESSION) : Admitted.late();
      }
      if (!makeRoom()) {
        return Admitted.none(Welcome.Status.BUSY);
      }
      session = new ReceivingSession(means, peer, (closed, ended) -> closed(id, closed, ended));
      all.put(id, session);
    }
    return switch (session.attendance().join(number)) {
      case WELCOME -> new Admitted(Welcome.Status.ACCEPTED, session, false);
      case FULL -> Admitted.none(Welcome.Status.BUSY);
      case UNWANTED ->
          session.attendance().isOver()
              ? Admitted.late()
              : Admitted.none(Welcome.Status.NO_SESSION);
    };
  }

  /// The result of the session that was to be served once, or null if it is not over.
  synchronized Result result() {
    return result;
  }

  private boolean makeRoom() {
    if (once) {
      return result == null && (all.size() == displaced.size() || displaceAnOrphan());
    }
    int others = 0;
    for (ReceivingSession each : all.values()) {
      others += each.attendance().isOver() ? 0 : 1;
    }
    return all.size() < ALL_MAX
        && (others < Budget.SESSIONS_MAX || displaceAnOrphan() || displaceAnIdler());
  }

  /// Ends the oldest of the sessions that have lost all their connections.
  private boolean displaceAnOrphan() {
    for (ReceivingSession each : all.values()) {
      if (each.attendance().endIfOrphaned()) {
        displaced.add(each);
        return true;
      }
    }
    return false;
  }

  /// Ends the session that was idle for the longest, if that was long enough.
  private boolean displaceAnIdler() {
    ReceivingSession idlest = null;
    for (ReceivingSession each : all.values()) {
      boolean isIdle = !each.attendance().isOver() && each.idleNs() >= IDLE_NS;
      if (isIdle && (idlest == null || each.idleNs() > idlest.idleNs())) {
        idlest = each;
      }
    }
    return idlest != null && idlest.giveWay();
  }

  private void closed(Octets id, ReceivingSession session, Result ended) {
    synchronized (this) {
      all.remove(id, session);
      if (displaced.remove(session) || !once || ended == null) {
        return;
      }
      result = ended;
    }
    whenOver.run();
  }
}

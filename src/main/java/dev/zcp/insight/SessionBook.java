package dev.zcp.insight;

import dev.zcp.insight.Result.Session;
import java.util.ArrayList;
import java.util.List;

/// What is booked of a session as a whole. Any thread may call it; no other lock is taken under its
/// own.
final class SessionBook {

  /// A level is reached in very few ways; what comes after so many is not kept.
  private static final int PROOFS_MAX = 8;

  // All below is guarded by this.
  private Link link;
  private int connections = 1;
  private long bytesAcknowledged = -1;
  private long bytesResumed;
  private long bytesResent;
  private String congestion = "";

  /// Null if it said nothing.
  private Verified peerReached;

  private final List<String> proofs = new ArrayList<>(1);
  private final List<Event.Declined> declined = new ArrayList<>(0);

  synchronized void connected(Link first) {
    link = first;
  }

  synchronized void connections(int open) {
    connections = Math.max(connections, open);
  }

  synchronized void acknowledged(long bytes) {
    bytesAcknowledged = Math.max(0, bytesAcknowledged) + bytes;
  }

  synchronized void resumed(long bytes) {
    bytesResumed += bytes;
  }

  synchronized void resent(long bytes) {
    bytesResent += bytes;
  }

  synchronized void congestion(String name) {
    congestion = name;
  }

  synchronized void peerReached(Verified level) {
    peerReached = level;
  }

  /// How far arrivals are proved if this end has reached `own`.
  synchronized Verified reached(Verified own) {
    boolean isLess = peerReached != null && peerReached.ordinal() < own.ordinal();
    return isLess ? peerReached : own;
  }

  synchronized void proved(String how) {
    if (!proofs.contains(how) && proofs.size() < PROOFS_MAX) {
      proofs.add(how);
    }
  }

  synchronized void declined(String what, Object name, String reason) {
    for (int i = 0; i < declined.size(); i++) {
      Event.Declined kind = declined.get(i);
      if (kind.what().equals(what)) {
        declined.set(
            i, new Event.Declined(what, kind.entries() + 1, kind.firstName(), kind.reason()));
        return;
      }
    }
    declined.add(new Event.Declined(what, 1, name.toString(), reason));
  }

  /// -1 if nobody counts them.
  synchronized long bytesAcknowledged() {
    return bytesAcknowledged;
  }

  synchronized long bytesResumed() {
    return bytesResumed;
  }

  synchronized List<Event.Declined> declined() {
    return List.copyOf(declined);
  }

  /// Which of them was there first is chance.
  private List<String> sorted() {
    List<String> sorted = new ArrayList<>(proofs);
    sorted.sort(null);
    return sorted;
  }

  /// Null if there was no peer.
  synchronized Session session() {
    if (link == null) {
      return null;
    }
    return new Session(
        link, connections, bytesResumed, bytesResent, String.join("; ", sorted()), congestion);
  }
}

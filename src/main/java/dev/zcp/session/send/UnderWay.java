package dev.zcp.session.send;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// The entries of a session that were offered and are not over, at most as many as
/// [dev.zcp.exchange.SendingEnd#hasRoom] allows.
///
/// Whoever calls it must hold the session's monitor.
final class UnderWay {

  private final Map<Long, Sent> entries = new HashMap<>();

  /// What had changed, to be offered anew.
  private final ArrayDeque<Sent> changed = new ArrayDeque<>();

  private long over;

  void put(long fileId, Sent sent) {
    entries.put(fileId, sent);
  }

  /// The entry, or null where it is over.
  Sent get(long fileId) {
    return entries.get(fileId);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// How many are over.
  long over() {
    return over;
  }

  /// An entry is over.
  ///
  /// @return null where it was before
  Sent remove(long fileId) {
    Sent sent = entries.remove(fileId);
    if (sent != null) {
      over++;
    }
    return sent;
  }

  /// An entry is over, and is to be offered once more.
  void removeToOfferAnew(long fileId) {
    Sent sent = remove(fileId);
    if (sent != null) {
      changed.add(sent);
    }
  }

  boolean hasChanged() {
    return !changed.isEmpty();
  }

  /// What is to be offered anew next, or null.
  Sent pollChanged() {
    return changed.poll();
  }
}

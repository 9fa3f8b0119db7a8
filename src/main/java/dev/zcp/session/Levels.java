package dev.zcp.session;

import dev.zcp.insight.Insight;
import dev.zcp.insight.Verified;
import dev.zcp.wire.Level;

/// The levels that the wire knows, and the report of them.
public final class Levels {

  private Levels() {}

  /// Has the report tell of no more than the other end says that it has reached.
  ///
  /// @param agreed how far arrivals were to be proved
  /// @param there what the other end's last word says; null if none came, which leaves the report
  ///   with what is known here
  /// @param who the other end: `sender` or `receiver`
  public static void tellPeers(Insight insight, Level agreed, Level there, String who) {
    if (there == null) {
      return;
    }
    Verified reached = reached(there);
    insight.ofSession().peerReached(reached);
    if (there.compareTo(agreed) < 0) {
      insight.ofSession().proved("the " + who + " says " + reached.label() + " and no more");
    }
  }

  /// The wire and the report have the same levels by the same names.
  public static Level of(Verified verified) {
    return Level.valueOf(verified.name());
  }

  public static Verified reached(Level level) {
    return Verified.valueOf(level.name());
  }
}

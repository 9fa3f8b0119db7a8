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
    insight.peerReached(reached);
    if (there.compareTo(agreed) < 0) {
      insight.proved("the " + who + " says " + reached.label() + " and no more");
    }
  }

  public static Level of(Verified verified) {
    return switch (verified) {
      case NONE -> Level.NONE;
      case WIRE -> Level.WIRE;
      case READBACK -> Level.READBACK;
      case MEDIA -> Level.MEDIA;
    };
  }

  public static Verified reached(Level level) {
    return switch (level) {
      case NONE -> Verified.NONE;
      case WIRE -> Verified.WIRE;
      case READBACK -> Verified.READBACK;
      case MEDIA -> Verified.MEDIA;
    };
  }
}

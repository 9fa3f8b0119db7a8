package dev.zcp.session;

import dev.zcp.core.Daemon;
import dev.zcp.core.Ticker;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;

/// Tells of connections that failed before they proved the key. Anybody can make many, so they are
/// told at most once a minute: the first at once, those that follow within the minute together.
public final class StrangerNotes {

  public static final long PAUSE_NS = 60_000_000_000L;

  private final Listener listener;
  private final long pauseNs;

  // All below is guarded by this.
  private boolean pauses;
  private int untold;

  /// The last of those that were not told.
  private String last;

  public StrangerNotes(Listener listener, long pauseNs) {
    this.listener = listener;
    this.pauseNs = pauseNs;
  }

  /// A connection has failed.
  ///
  /// @param message whose, and why
  public void failed(String message) {
    synchronized (this) {
      if (pauses) {
        untold++;
        last = message;
        return;
      }
      pauses = true;
    }
    Ticker.start(pauseNs, _ -> endPause());
    listener.on(new Event.Noted(message));
  }

  private synchronized long endPause() {
    pauses = untold > 0;
    if (!pauses) {
      return 0;
    }
    // The listener may wait for whoever reads, and a tick must not.
    Daemon.start(this::tellRest, "zcp-tell");
    return pauseNs;
  }

  /// Tells of those that were not told yet.
  ///
  /// @return whether there were any
  public boolean tellRest() {
    String message;
    synchronized (this) {
      if (untold == 0) {
        return false;
      }
      message =
          untold == 1
              ? last
              : untold + " more connections failed before they proved the key, the last: " + last;
      untold = 0;
    }
    listener.on(new Event.Noted(message));
    return true;
  }
}

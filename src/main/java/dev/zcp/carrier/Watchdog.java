package dev.zcp.carrier;

import dev.zcp.core.Ticker;
import java.util.ArrayList;
import java.util.List;

/// Looks after the connections of this process, so that nothing hangs: ten times a second it asks
/// each [PeerTimeout] whether the peer was too slow, and whether a beat is due.
///
/// It waits for nobody: not for a disk, nor for a peer that does not read. It runs, on the thread
/// of [Ticker], while there is a connection to look after.
public final class Watchdog {

  private static final long TICK_NS = 100_000_000;

  // All below is guarded by this.
  private final List<PeerTimeout> watched = new ArrayList<>();
  private boolean running;

  /// Looks after `carrier` until what this returns is closed.
  public PeerTimeout watch(Carrier carrier) {
    PeerTimeout timeout = new PeerTimeout(carrier, this);
    synchronized (this) {
      watched.add(timeout);
      if (!running) {
        running = true;
        Ticker.start(TICK_NS, this::tick);
      }
    }
    return timeout;
  }

  synchronized void forget(PeerTimeout timeout) {
    watched.remove(timeout);
  }

  private long tick(long nowNs) {
    for (PeerTimeout each : all()) {
      each.tick(nowNs);
    }
    return goesOn() ? TICK_NS : 0;
  }

  private synchronized List<PeerTimeout> all() {
    return List.copyOf(watched);
  }

  private synchronized boolean goesOn() {
    running = !watched.isEmpty();
    return running;
  }
}

package dev.zcp.carrier;

import java.util.ArrayList;
import java.util.List;

/// One thread that looks after all connections of this process, so that nothing hangs: ten times a
/// second it asks each [PeerTimeout] whether the peer was too slow, and whether a beat is due.
///
/// It waits for nobody: not for a disk, nor for a peer that does not read. It runs while there is a
/// connection to look after.
public final class Watchdog {

  private static final long TICK_MS = 100;

  // All below is guarded by this.
  private final List<PeerTimeout> watched = new ArrayList<>();
  private boolean running;

  /// Looks after `carrier` until what this returns is closed.
  public PeerTimeout watch(Carrier carrier) {
    PeerTimeout timeout = new PeerTimeout(carrier, this);
    synchronized (this) {
      watched.add(timeout);
      if (!running) {
        Thread thread = new Thread(this::run, "zcp-watchdog");
        thread.setDaemon(true);
        thread.start();
        running = true;
      }
    }
    return timeout;
  }

  synchronized void forget(PeerTimeout timeout) {
    watched.remove(timeout);
  }

  private void run() {
    while (goesOn()) {
      try {
        look();
      } catch (OutOfMemoryError e) {
        // Nobody else would look after the connections that are left.
      }
    }
  }

  private void look() {
    long nowNs = System.nanoTime();
    for (PeerTimeout each : all()) {
      each.tick(nowNs);
    }
  }

  private synchronized List<PeerTimeout> all() {
    return List.copyOf(watched);
  }

  /// Waits for the next time to look; false if the thread is to end.
  private synchronized boolean goesOn() {
    try {
      wait(TICK_MS);
    } catch (InterruptedException e) {
      // Nobody interrupts it. If somebody did, the connections would still have to be watched.
    }
    running = !watched.isEmpty();
    return running;
  }
}

package dev.zcp.session.link;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/// Watches one connection from a thread of its own, so that nothing hangs: ends it when a deadline
/// has passed, or when the peer was waited for and made no progress for too long; and lets this end
/// say that it lives.
///
/// The connection is ended by shutting it down both ways, which frees a thread in any system call
/// on it; close(2) would not, and could hand the descriptor's number to another file meanwhile.
public final class Pulse implements Closeable {

  /// How often an end says that it lives.
  public static final long BEAT_NS = 1_000_000_000L;

  private static final long TICK_MS = 100;

  private static final long NS_A_MS = 1_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  /// Says that this end lives; may do nothing if something is being said just now. It has a thread
  /// of its own, since a peer that does not read blocks whoever writes, and the watch must go on
  /// then more than ever.
  @FunctionalInterface
  public interface Beat {
    void send();
  }

  private final SocketChannel channel;

  private boolean hurried;
  private long patienceNs = Long.MAX_VALUE;
  private long sinceNs;
  private boolean watching;
  private boolean closed;
  private volatile boolean ranOut;

  /// Since when a frame is being said; [#NEVER] while none is.
  private volatile long sayingSinceNs = NEVER;

  /// When the peer last was [alive][#alive]; [#NEVER] before.
  private volatile long aliveNs = NEVER;

  public Pulse(SocketChannel channel) {
    this.channel = channel;
    Thread thread = new Thread(this::watch, "zcp-pulse");
    thread.setDaemon(true);
    thread.start();
  }

  /// Ends the connection in `limitNs`, whatever moves meanwhile, unless [#settle] is called before.
  public synchronized void hurry(long limitNs) {
    patienceNs = limitNs;
    sinceNs = System.nanoTime();
    watching = true;
    hurried = true;
  }

  /// The haste is over. From now on the connection ends where the peer makes no progress for
  /// `limitNs` while it is waited for, and `beat` is called every [#BEAT_NS]. To be called once.
  public synchronized void settle(long limitNs, Beat beat) {
    hurried = false;
    patienceNs = limitNs;
    watching = false;
    Thread thread = new Thread(() -> sendAll(beat), "zcp-beat");
    thread.setDaemon(true);
    thread.start();
  }

  private void sendAll(Beat beat) {
    try {
      while (awaitBeat()) {
        beat.send();
      }
    } catch (InterruptedException e) {
      // Nobody interrupts it, and who did would have it end.
    }
  }

  /// @return whether a beat is due; else there will be none any more
  private synchronized boolean awaitBeat() throws InterruptedException {
    long dueNs = System.nanoTime() + BEAT_NS;
    for (long leftNs = BEAT_NS; leftNs > 0; leftNs = dueNs - System.nanoTime()) {
      if (closed || ranOut) {
        return false;
      }
      wait(leftNs / NS_A_MS + 1);
    }
    return !closed && !ranOut;
  }

  /// This end waits for the peer from now on.
  public synchronized void waitForPeer() {
    if (!hurried) {
      watching = true;
      sinceNs = System.nanoTime();
    }
  }

  /// This end has work of its own from now on.
  public synchronized void stopWaiting() {
    watching = hurried;
  }

  /// A frame is being said from now on. That it gets out takes the peer as well, so it may not last
  /// for ever either, whoever is waited for otherwise.
  public void beginSaying() {
    sayingSinceNs = System.nanoTime();
  }

  public void endSaying() {
    sayingSinceNs = NEVER;
  }

  /// The peer did something.
  public synchronized void progress() {
    if (!hurried) {
      sinceNs = System.nanoTime();
    }
  }

  /// The peer lives, and whatever it does not take or say meanwhile is not its doing.
  public void alive() {
    aliveNs = System.nanoTime();
    progress();
  }

  /// Whether the connection was ended here, since the peer was too slow.
  public boolean ranOut() {
    return ranOut;
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void watch() {
    try {
      while (tick()) {
        // Another tick will come.
      }
      if (ranOut) {
        channel.shutdownInput();
        channel.shutdownOutput();
      }
    } catch (InterruptedException | IOException e) {
      // Either way the connection is over, and whoever uses it learns that from it.
      ranOut |= channel.isOpen();
    }
  }

  /// Waits for the next tick and does what is due then.
  ///
  /// @return whether there is still something to watch
  private synchronized boolean tick() throws InterruptedException {
    wait(TICK_MS);
    if (closed) {
      return false;
    }
    long nowNs = System.nanoTime();
    long sayingNs = sayingSinceNs;
    long livingNs = aliveNs;
    boolean tooSlow = watching && nowNs - sinceNs > patienceNs;
    boolean alive = livingNs != NEVER && nowNs - livingNs <= patienceNs;
    boolean stuck = !alive && sayingNs != NEVER && nowNs - sayingNs > patienceNs;
    if (tooSlow || stuck) {
      ranOut = true;
      return false;
    }
    return true;
  }
}

package dev.zcp.carrier;

import java.io.Closeable;

/// How long the peer of one connection may take, and when this end is to say that it lives. The
/// [Watchdog] cuts the connection if a deadline has passed, or if the peer was waited for and made
/// no progress for too long.
public final class PeerTimeout implements Closeable {

  /// How often an end says that it lives.
  public static final long BEAT_NS = 1_000_000_000L;

  private static final long NEVER = Long.MIN_VALUE;

  private final Carrier carrier;
  private final Watchdog watchdog;

  private boolean hurried;
  private long patienceNs = Long.MAX_VALUE;
  private long sinceNs;
  private boolean watching;
  private boolean closed;

  /// Null before [#settle].
  private Runnable beat;

  private long beatNs;
  private volatile boolean ranOut;

  /// Since when bytes are being written; [#NEVER] while none are.
  private volatile long writingSinceNs = NEVER;

  /// When the peer last was [alive][#alive]; [#NEVER] before.
  private volatile long aliveNs = NEVER;

  PeerTimeout(Carrier carrier, Watchdog watchdog) {
    this.carrier = carrier;
    this.watchdog = watchdog;
  }

  /// Ends the connection in `limitNs`, whatever moves meanwhile, unless [#settle] is called before.
  public synchronized void hurry(long limitNs) {
    patienceNs = limitNs;
    sinceNs = System.nanoTime();
    watching = true;
    hurried = true;
  }

  /// The haste is over. From now on the connection ends if the peer makes no progress for `limitNs`
  /// while it is waited for, and `beat`, which must not wait for anything, is called every
  /// [#BEAT_NS]. To be called once.
  public synchronized void settle(long limitNs, Runnable beat) {
    hurried = false;
    patienceNs = limitNs;
    watching = false;
    this.beat = beat;
    this.beatNs = System.nanoTime();
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

  /// Bytes are being written from now on. They get out only if the peer reads, so that may not last
  /// for ever either, whoever is waited for otherwise.
  void beginWriting() {
    writingSinceNs = System.nanoTime();
  }

  void endWriting() {
    writingSinceNs = NEVER;
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
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watchdog.forget(this);
  }

  /// Does what is due. The connection cannot be closed meanwhile.
  synchronized void tick(long nowNs) {
    if (closed || ranOut) {
      return;
    }
    if (isTooSlow(nowNs)) {
      end();
    } else if (beat != null && nowNs - beatNs >= BEAT_NS) {
      beatNs = nowNs;
      try {
        beat.run();
      } catch (RuntimeException | Error e) {
        // A defect. It must cost this connection only, and the peer must learn of it.
        end();
      }
    }
  }

  private void end() {
    ranOut = true;
    carrier.cut();
  }

  private boolean isTooSlow(long nowNs) {
    long writingNs = writingSinceNs;
    long livingNs = aliveNs;
    boolean alive = livingNs != NEVER && nowNs - livingNs <= patienceNs;
    boolean stuck = !alive && writingNs != NEVER && nowNs - writingNs > patienceNs;
    return stuck || watching && nowNs - sinceNs > patienceNs;
  }
}

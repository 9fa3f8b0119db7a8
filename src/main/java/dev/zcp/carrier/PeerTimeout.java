package dev.zcp.carrier;

import dev.zcp.core.Ticker;
import java.io.Closeable;

/// How long the peer of one connection may take, and when this end is to say that it lives. It cuts
/// the connection if a deadline has passed, or if the peer was waited for and made no progress for
/// too long: so nothing hangs.
///
/// What this end is to blame for is not the peer's: bytes that nobody has read yet, and time in
/// which this process stood still.
///
/// It looks on the thread of [Ticker], and waits for nobody: not for a disk, nor for a peer that
/// does not read.
public final class PeerTimeout implements Closeable {

  /// How often an end says that it lives.
  public static final long BEAT_NS = 1_000_000_000L;

  /// How often it is asked whether the peer was too slow, and whether a beat is due.
  private static final long TICK_NS = 100_000_000;

  /// If it is asked so late, this process was stopped, or the machine slept.
  private static final long STANDSTILL_NS = 2_000_000_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final Carrier carrier;

  private boolean hurried;
  private long patienceNs = Long.MAX_VALUE;
  private long sinceNs;
  private boolean watching;
  private boolean closed;

  /// Null before [#settle].
  private Runnable beat;

  private long beatNs;
  private long tickNs = System.nanoTime();

  /// When this process last went on after a standstill, or began.
  private long wentOnNs = tickNs;

  private volatile boolean ranOut;

  /// Since when bytes are being written; [#NEVER] while none are.
  private volatile long writingSinceNs = NEVER;

  /// When the peer last was [alive][#alive]; [#NEVER] before.
  private volatile long aliveNs = NEVER;

  private PeerTimeout(Carrier carrier) {
    this.carrier = carrier;
  }

  /// Looks after `carrier` until what this returns is closed.
  public static PeerTimeout watch(Carrier carrier) {
    PeerTimeout timeout = new PeerTimeout(carrier);
    Ticker.start(TICK_NS, timeout::tick);
    return timeout;
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

  /// The peer has as long to end the connection as it may stall, or less if it was hurried before.
  synchronized void hurry() {
    if (!hurried) {
      hurry(patienceNs);
    }
  }

  /// Whether the peer is waited for.
  synchronized boolean isWaiting() {
    return watching;
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

  /// Bytes are being written from now on, or read to be written. They get out only if the peer
  /// reads, so that may not last for ever either, whoever is waited for otherwise.
  void beginWriting() {
    writingSinceNs = System.nanoTime();
  }

  void endWriting() {
    writingSinceNs = NEVER;
  }

  /// Bytes of a block went by.
  void moved() {
    if (writingSinceNs != NEVER) {
      beginWriting();
    }
    progress();
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
  }

  /// Does what is due. The connection cannot be closed meanwhile.
  private synchronized long tick(long nowNs) {
    if (closed || ranOut) {
      return 0;
    }
    if (nowNs - tickNs > STANDSTILL_NS) {
      wentOnNs = nowNs;
    }
    tickNs = nowNs;
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
    return TICK_NS;
  }

  private void end() {
    ranOut = true;
    carrier.cut();
  }

  private boolean isTooSlow(long nowNs) {
    long writingNs = writingSinceNs;
    long livingNs = aliveNs;
    boolean alive = livingNs != NEVER && nowNs - livingNs <= patienceNs;
    if (nowNs - wentOnNs <= patienceNs) {
      return false;
    }
    boolean writesLong = !alive && writingNs != NEVER && nowNs - writingNs > patienceNs;
    boolean late = watching && nowNs - sinceNs > patienceNs;
    // A peer that left room for more is not what a writer waits for, but maybe the disk it reads.
    return writesLong && !carrier.isWritable() || late && (hurried || !carrier.isReadable());
  }
}

package dev.zcp.insight;

import dev.zcp.core.Ticker;
import dev.zcp.core.Ticker.TickTask;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.linux.Processors;

/// Finds the times in which this process stood still: the JVM stopped its threads, as some
/// collections do; a signal such as SIGSTOP stopped the process; or no processor was free for it.
/// Only of the last the kernel tells how long it was.
///
/// The thread of [Ticker] sleeps for a [step][#STEP_NS] and looks at the clock. What it slept
/// longer was a pause. It runs only in a transfer that takes longer than [#BEGIN_NS], so that short
/// ones do not pay for it.
///
/// Any thread may call it.
final class PauseWatch implements TickTask {

  /// A shorter delay is what a thread may have to wait for a processor at any time.
  static final long PAUSE_NS_MIN = 10_000_000;

  static final long STEP_NS = 10_000_000;
  static final long BEGIN_NS = 100_000_000;

  private volatile long startedNs;
  private volatile boolean begun;
  private volatile boolean closed;

  /// In which step of the heat map it is now.
  private volatile long step;

  /// For how long the ticker had waited for a processor at its first look. Belongs to its thread.
  private long waitedBeforeNs = -1;

  // All below is guarded by this.
  private long lookedNs;
  private long pauseEndNs;
  private Pauses found = new Pauses(0, 0, 0, 0);
  private long waitedNs;

  /// The transfer begins. To be called before anything else.
  void started(long nowNs) {
    startedNs = nowNs;
  }

  /// Something was done: begins to watch, if the transfer takes long.
  void workedOn() {
    if (!begun) {
      workedOn(System.nanoTime());
    }
  }

  /// As [#workedOn()], if the caller has just looked at the clock.
  void workedOn(long nowNs) {
    if (begun) {
      return;
    }
    long elapsedNs = nowNs - startedNs;
    step = elapsedNs / HeatMap.STEP_NS;
    if (elapsedNs > BEGIN_NS) {
      begin();
    }
  }

  private synchronized void begin() {
    if (begun || closed) {
      return;
    }
    beginAt(System.nanoTime());
    Ticker.start(STEP_NS, this);
  }

  /// Begins without a thread that looks.
  synchronized void beginAt(long nowNs) {
    lookedNs = nowNs;
    begun = true;
  }

  @Override
  public long tick(long nowNs) {
    if (closed) {
      return 0;
    }
    step = (nowNs - startedNs) / HeatMap.STEP_NS;
    if (waitedBeforeNs < 0) {
      waitedBeforeNs = Processors.waitedNs();
    }
    if (look(nowNs)) {
      waited(Processors.waitedNs() - waitedBeforeNs);
    }
    return STEP_NS;
  }

  /// In which [step][HeatMap#STEP_NS] of the transfer it is, as of the last look.
  long step() {
    return step;
  }

  /// A step is over.
  ///
  /// @return whether there was a pause
  synchronized boolean look(long nowNs) {
    long lateNs = lateNs(nowNs);
    boolean isPause = lateNs >= PAUSE_NS_MIN;
    if (isPause) {
      found =
          new Pauses(
              found.count() + 1,
              found.totalNs() + lateNs,
              Math.max(found.maxNs(), lateNs),
              found.samplesOverlapped());
      pauseEndNs = nowNs;
    }
    lookedNs = nowNs;
    return isPause;
  }

  /// For so long in all the thread that looks has waited for a processor. Negative if the kernel
  /// has told it once and then no more.
  synchronized void waited(long allNs) {
    waitedNs = Math.max(waitedNs, allNs);
  }

  /// How long of all pauses so far no processor was free.
  synchronized long starvedNs() {
    return Math.min(waitedNs, found.totalNs());
  }

  /// How long all other pauses were.
  synchronized long stoppedNs() {
    return found.totalNs() - starvedNs();
  }

  /// A sample ended now. One that is shorter than a pause includes none.
  void sampled(long elapsedNs) {
    if (begun && elapsedNs >= PAUSE_NS_MIN) {
      sampled(elapsedNs, System.nanoTime());
    }
  }

  synchronized void sampled(long elapsedNs, long nowNs) {
    long beganNs = nowNs - elapsedNs;
    boolean isPauseKnown = found.count() > 0 && pauseEndNs - beganNs > 0;
    // The thread that books may run again before the one that looks at the clock.
    boolean isPauseNew = lateNs(nowNs) >= PAUSE_NS_MIN && beganNs - lookedNs <= STEP_NS;
    if (isPauseKnown || isPauseNew) {
      found =
          new Pauses(found.count(), found.totalNs(), found.maxNs(), found.samplesOverlapped() + 1);
    }
  }

  /// Ends the watch.
  ///
  /// @return null if it never began
  synchronized Pauses close(long nowNs) {
    closed = true;
    if (!begun) {
      return null;
    }
    look(nowNs);
    return found;
  }

  private long lateNs(long nowNs) {
    return nowNs - lookedNs - STEP_NS;
  }
}

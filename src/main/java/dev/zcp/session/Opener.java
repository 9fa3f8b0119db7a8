package dev.zcp.session;

import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.linux.Processors;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Bytes;

/// Opens the connections of a session at the end that dials: as many as were asked for, or as pay,
/// and others for those that are lost.
///
/// One thread at a time opens them, one after the other, so that a listener that is gone is not
/// asked by many. It ends when there are enough.
public final class Opener {

  /// Less is done before a second connection has paid for itself.
  private static final long SECOND_BYTES_MIN = 256L << 20;

  /// The same if the session began by ssh. ssh is slower, since the bytes go through two more
  /// processes at each end.
  public static final long DIRECT_BYTES_MIN = 64L << 20;

  /// For so many bytes ssh takes about as long as it takes to load TLS.
  private static final long TLS_BYTES = 16L << 20;

  private static final int SECOND_PROCESSORS_MIN = 4;

  /// How often it is looked at as long as nobody has decided on a second one.
  private static final long UNDECIDED_LOOK_NS = 20_000_000;

  /// The wire has no more numbers: connections that were lost are counted.
  private static final int NUMBER_MAX = 0xffff;

  private final PeerSession session;
  private final Bytes sessionId;
  private final Dialling dialling;
  private final String peer;
  private final boolean auto;

  /// Whether another connection may pay: not if the user says how many, nor if it could only share
  /// a rate that is limited.
  private final boolean grows;

  private final boolean hasControl;

  private final int retries;
  private final Growth growth;

  // All below is guarded by this.
  private final Backoff backoff;
  private int wanted;
  private int nextNumber;

  /// Whether it was decided if a second one is worth it: once the ends have agreed on what is to
  /// come.
  private boolean isSecondDecided;

  /// Those that are being served.
  private int open;

  /// Whether a thread is opening connections, or sees whether another one would pay.
  private boolean opening;

  /// Since the thread began that opens connections; null before.
  private Processors processors;

  private long lookedNs = System.nanoTime();

  /// Why a connection was lost or not made, if none was made since; null if all is well. The first
  /// such reason, since that nobody answers any more follows from it; but a refusal counts more.
  /// Nobody has signed that one, so it ends nothing at once: it costs an attempt.
  private Failure trouble;

  private Opener(
      PeerSession session,
      Bytes sessionId,
      int nextNumber,
      Dialling dialling,
      boolean isRateLimited) {
    Dial dial = dialling.endpoint();
    this.session = session;
    this.sessionId = sessionId;
    this.nextNumber = nextNumber;
    this.dialling = dialling;
    this.peer = dialling.peer();
    this.auto = dial.connections() == Dial.CONNECTIONS_AUTO;
    this.grows = auto && !isRateLimited;
    this.hasControl = dialling.dialler().hasControl();
    this.growth = new Growth(dialling.dialler().isLocal(), System.nanoTime());
    this.retries = dial.retries();
    this.backoff = new Backoff(dial.retries());
    this.wanted = Math.max(1, dial.connections());
  }

  /// Decides if a second connection is opened before it is known whether it pays, since much would
  /// be over by then. It lets one write while the other reads. In a session by ssh it takes over
  /// the bytes of files; if nobody knows how much is to come, once as much has come as it costs.
  private void decideOnSecond() {
    long all = session.bytesAll();
    boolean wantsTwo =
        hasControl
            ? auto && (all >= DIRECT_BYTES_MIN || all < 0 && session.bytesDone() >= TLS_BYTES)
            : grows
                && all >= SECOND_BYTES_MIN
                && Runtime.getRuntime().availableProcessors() >= SECOND_PROCESSORS_MIN;
    wanted = wantsTwo ? Math.max(2, wanted) : wanted;
    isSecondDecided = wantsTwo || all >= 0 || !hasControl || !auto;
  }

  /// Has the session served over the connection that is there, and by threads of their own over
  /// others, until it is over. Does not wait.
  ///
  /// @param isRateLimited whether the user wants no more than a certain rate
  public static void start(
      PeerSession session, Dialling.First first, Dialling dialling, boolean isRateLimited) {
    start(session, first, 0, dialling, isRateLimited);
  }

  /// @param number of the connection that is there: 0 in a new session
  static void start(
      PeerSession session,
      Dialling.First first,
      int number,
      Dialling dialling,
      boolean isRateLimited) {
    Opener opener = new Opener(session, first.sessionId(), number + 1, dialling, isRateLimited);
    opener.add(first.reached(), number);
    opener.openMore();
  }

  /// Starts the thread that opens connections, if there are some to open and it does not run.
  private void openMore() {
    synchronized (this) {
      if (opening || !isUnsettled()) {
        return;
      }
      opening = true;
    }
    try {
      Daemon.start(this::work, "zcp-connect");
    } catch (Error e) {
      session.fail(Reasons.defect(peer, e));
    }
  }

  private void work() {
    try {
      lookAtProcessors();
      while (goesOn()) {
        session.connections().await(() -> isShort() || !isUnsettled(), lookNs());
        grow(System.nanoTime());
        if (isShort()) {
          openOne();
        }
      }
    } catch (RuntimeException | Error e) {
      // Whoever waits for the session must not wait for connections that nobody opens any more.
      session.fail(Reasons.defect(peer, e));
    }
  }

  private synchronized long lookNs() {
    return isSecondDecided ? Growth.LOOK_NS : UNDECIDED_LOOK_NS;
  }

  private synchronized void lookAtProcessors() {
    processors = new Processors();
  }

  private synchronized boolean goesOn() {
    opening = isUnsettled();
    return opening;
  }

  /// Whether more connections are to be opened, or may yet be.
  private synchronized boolean isUnsettled() {
    return isShort() || isRunning() && (!isSecondDecided || mayGrow());
  }

  private boolean isRunning() {
    return !session.connections().isOver();
  }

  private boolean mayGrow() {
    return grows && !growth.isOver() && connectionsMax() > 1;
  }

  private synchronized void grow(long nowNs) {
    if (!mayGrow() || nowNs - lookedNs < Growth.LOOK_NS) {
      return;
    }
    lookedNs = nowNs;
    long done = session.bytesDone();
    long all = session.bytesAll();
    long left = all < 0 ? Long.MAX_VALUE : all - done;
    double idle = processors.idleShare();
    if (open == wanted && growth.wantsOneMore(open, connectionsMax(), done, left, idle, nowNs)) {
      wanted++;
    }
  }

  private synchronized boolean isShort() {
    if (!isSecondDecided && session.isAgreed()) {
      decideOnSecond();
    }
    return isRunning() && open < Math.min(wanted, connectionsMax());
  }

  private int connectionsMax() {
    int max = session.connectionsMax();
    return auto ? Math.min(max, Dial.CONNECTIONS_AUTO_MAX) : max;
  }

  private void openOne() {
    Failure last;
    long waitNs = 0;
    synchronized (this) {
      last = trouble;
      if (last != null) {
        backoff.look(session.progress());
        waitNs = backoff.take();
      }
    }
    if (waitNs < 0) {
      doWithout(last);
      return;
    }
    int number = takeNumber();
    if (number > NUMBER_MAX) {
      String what = "the session has had all the " + (NUMBER_MAX + 1) + " connections of one";
      doWithout(Failure.of(ExitCode.NETWORK, peer, what));
      return;
    }
    session.connections().await(() -> !isRunning(), waitNs);
    if (!isRunning()) {
      return;
    }
    try {
      Dialling.Reached reached = dialling.reach(sessionId, number);
      if (reached == null) {
        forgotten();
      } else {
        add(reached, number);
      }
    } catch (Failure failure) {
      // A port that was closed with the session is nothing to tell of.
      if (!isRunning() || dialling.dialler().goesOnWithout(failure) && makesDo()) {
        return;
      }
      synchronized (this) {
        trouble = trouble == null || !isPassing(failure) ? failure : trouble;
      }
    }
  }

  private synchronized int takeNumber() {
    return nextNumber > NUMBER_MAX ? nextNumber : nextNumber++;
  }

  /// Whether it may be otherwise a little later.
  private static boolean isPassing(Failure failure) {
    return switch (failure.exitCode()) {
      case NETWORK, EXISTS, INTEGRITY -> true;
      default -> false;
    };
  }

  /// Goes on with the connections that there are, or ends the session if there is none.
  private void doWithout(Failure cause) {
    if (makesDo()) {
      session.note(cause.getMessage() + " (the session goes on without that connection)");
    } else {
      session.fail(withWhatIsKept(cause));
    }
  }

  private Failure withWhatIsKept(Failure cause) {
    String kept = session.whatIsKept();
    return kept.isEmpty() ? cause : cause.with(kept);
  }

  /// Wants no more connections than there are. Those may be lost the next moment: what follows from
  /// that, follows then.
  ///
  /// @return false if there is none; then there will be none, since nobody else opens any
  private synchronized boolean makesDo() {
    wanted = Math.max(1, open);
    trouble = null;
    return open > 0;
  }

  /// If there are other connections the session is known there, whatever was said of it: it is
  /// about to end, and this one came too late.
  private void forgotten() {
    String what = "the " + dialling.other() + " knows nothing of this session any more";
    Failure cause = Failure.of(ExitCode.NETWORK, peer, what);
    if (!makesDo()) {
      session.forget(withWhatIsKept(cause));
    }
  }

  private void add(Dialling.Reached reached, int number) {
    boolean served = false;
    if (session.connections().join(number) == SessionConnections.Admittance.WELCOME) {
      synchronized (this) {
        open++;
        trouble = null;
      }
      try {
        Daemon.start(() -> serve(reached, number), "zcp-read-" + number);
        served = true;
      } finally {
        if (!served) {
          left(null);
          session.connections().missed();
        }
      }
    }
    if (!served) {
      Quietly.close(reached.connection());
    }
  }

  private void serve(Dialling.Reached reached, int number) {
    Failure loss = null;
    try {
      loss = session.serve(number, reached.connection(), reached.link());
      if (loss != null && hasControl && reached.connection().isControl()) {
        session.fail(withWhatIsKept(loss));
      }
    } catch (RuntimeException | Error e) {
      session.fail(Reasons.defect(peer, e));
    } finally {
      left(loss);
      openMore();
    }
    if (loss != null && retries > 0 && isRunning()) {
      session.note(loss.getMessage() + " (a connection is lost; connecting anew)");
    }
    session.leave();
  }

  private void left(Failure loss) {
    synchronized (this) {
      open--;
      if (isRunning()) {
        trouble = trouble == null ? loss : trouble;
      }
    }
    session.connections().changed();
  }
}

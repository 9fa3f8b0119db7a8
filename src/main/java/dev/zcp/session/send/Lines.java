package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.session.Sending;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Octets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The connections of a session: opens as many as were asked for, or as pay, and others for those
/// that are lost.
///
/// One thread at a time opens them, one after the other, so that a receiver that is gone is not
/// asked by many. It ends when there are enough.
final class Lines {

  /// How long a receiver that is told why the session ends may take to hear it, and the threads of
  /// a connection to leave it.
  private static final long GOODBYE_NS = 2_000_000_000L;

  /// Less is done before a second connection has paid for itself.
  private static final long SECOND_BYTES_MIN = 256L << 20;

  private static final int SECOND_PROCESSORS_MIN = 4;

  /// The wire has no more numbers: connections that were lost are counted.
  private static final int NUMBER_MAX = 0xffff;

  private final SendingSession session;
  private final SendingEnd end;
  private final Octets sessionId;
  private final Dialling dialling;
  private final Engines engines;
  private final RateLimit rate;
  private final Insight insight;
  private final String peer;
  private final long bytesAll;
  private final boolean auto;

  /// Whether another connection may pay: not where the user says how many, nor where it could only
  /// share a rate that is limited.
  private final boolean grows;

  private final int retries;

  private final Growth growth = new Growth(System.nanoTime());

  // All below is guarded by `end`.
  private final List<Line> open = new ArrayList<>();
  private final Backoff backoff;
  private int wanted;

  private int nextNumber;

  /// Whether a thread is opening connections, or sees whether another one would pay.
  private boolean opening;

  /// When that was last seen.
  private long lookedNs = System.nanoTime();

  /// Why a connection was lost or not made, of which none was made since; null if all is well. The
  /// first such reason, since that nobody answers any more follows from it; but a refusal counts
  /// more. Nobody has signed that one, so it ends nothing at once: it costs an attempt.
  private Failure trouble;

  Lines(
      SendingSession session,
      Octets sessionId,
      Dialling dialling,
      Engines engines,
      RateLimit rate,
      Sending sending,
      Insight insight,
      String peer,
      long bytesAll) {
    this.session = session;
    this.end = session.end();
    this.sessionId = sessionId;
    this.dialling = dialling;
    this.engines = engines;
    this.rate = rate;
    this.insight = insight;
    this.peer = peer;
    this.bytesAll = bytesAll;
    this.auto = sending.connections() == Sending.CONNECTIONS_AUTO;
    this.grows = auto && !rate.isLimited();
    this.retries = sending.retries();
    this.backoff = new Backoff(sending.retries());
    this.wanted = grows ? first(bytesAll) : Math.max(1, sending.connections());
  }

  /// How many to begin with: a second one lets one write while the other reads, and is open before
  /// it is known whether it pays, since much of what is this long would be over by then.
  private static int first(long bytesAll) {
    boolean pays =
        bytesAll >= SECOND_BYTES_MIN
            && Runtime.getRuntime().availableProcessors() >= SECOND_PROCESSORS_MIN;
    return pays ? 2 : 1;
  }

  /// Begins with a connection that is there.
  ///
  /// @param number of that connection: 0 in a new session
  void start(Dialling.Reached first, int number) {
    synchronized (end) {
      nextNumber = number + 1;
    }
    add(first, number);
    openMore();
  }

  /// Starts the thread that opens connections, if there are some to open and it does not run.
  private void openMore() {
    synchronized (end) {
      if (opening || !isUnsettled()) {
        return;
      }
      opening = true;
    }
    try {
      Thread thread = new Thread(this::work, "zcp-connect");
      thread.setDaemon(true);
      thread.start();
    } catch (Error e) {
      session.fail(Reasons.defect(peer, e));
    }
  }

  /// Ends all connections, once the session is over. Where it failed, they have a while to tell the
  /// receiver.
  ///
  /// @param well whether the receiver has said its last word
  void close(boolean well) {
    if (!well) {
      awaitNone();
    }
    List<Line> left;
    synchronized (end) {
      left = List.copyOf(open);
    }
    for (Line line : left) {
      line.hangUp();
    }
    awaitNone();
  }

  private void awaitNone() {
    session.await(open::isEmpty, GOODBYE_NS);
  }

  private void work() {
    try {
      keep();
    } catch (RuntimeException | Error e) {
      // Whoever waits for the session must not wait for connections that nobody opens any more.
      session.fail(Reasons.defect(peer, e));
    }
  }

  private void keep() {
    while (goesOn()) {
      session.await(() -> isShort() || !isUnsettled(), Growth.LOOK_NS);
      grow(System.nanoTime());
      if (isShort()) {
        openOne();
      }
    }
  }

  private boolean goesOn() {
    synchronized (end) {
      opening = isUnsettled();
      return opening;
    }
  }

  /// Whether more connections are to be opened, or may yet be.
  private boolean isUnsettled() {
    synchronized (end) {
      return isShort() || session.isRunning() && (!session.agreement().isReached() || mayGrow());
    }
  }

  private boolean mayGrow() {
    return grows && !growth.isOver() && connectionsMax() > 1;
  }

  private void grow(long nowNs) {
    synchronized (end) {
      if (!mayGrow() || nowNs - lookedNs < Growth.LOOK_NS) {
        return;
      }
      lookedNs = nowNs;
      long acknowledged = session.bytesAcknowledged();
      long left = bytesAll < 0 ? Long.MAX_VALUE : bytesAll - acknowledged;
      int count = open.size();
      if (count == wanted
          && growth.wantsOneMore(count, connectionsMax(), acknowledged, left, nowNs)) {
        wanted++;
      }
    }
  }

  private boolean isShort() {
    synchronized (end) {
      return session.isRunning() && open.size() < Math.min(wanted, connectionsMax());
    }
  }

  private int connectionsMax() {
    int max = session.agreement().connectionsMax();
    return auto ? Math.min(max, Sending.CONNECTIONS_AUTO_MAX) : max;
  }

  private void openOne() {
    Failure last;
    long waitNs = 0;
    synchronized (end) {
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
    if (isUsedUp()) {
      doWithout(usedUp());
      return;
    }
    session.await(() -> false, waitNs);
    if (!session.isRunning()) {
      return;
    }
    int number;
    synchronized (end) {
      number = nextNumber++;
    }
    try {
      Dialling.Reached reached = dialling.reach(sessionId, number);
      if (reached == null) {
        forgotten();
      } else {
        add(reached, number);
      }
    } catch (Failure failure) {
      synchronized (end) {
        trouble = trouble == null || !isPassing(failure) ? failure : trouble;
      }
    }
  }

  /// Whether it may be otherwise a little later.
  private static boolean isPassing(Failure failure) {
    return switch (failure.exitCode()) {
      case NETWORK, EXISTS, INTEGRITY -> true;
      default -> false;
    };
  }

  private boolean isUsedUp() {
    synchronized (end) {
      return nextNumber > NUMBER_MAX;
    }
  }

  private Failure usedUp() {
    String what = "the session has had all the " + (NUMBER_MAX + 1) + " connections of one";
    return Failure.of(ExitCode.NETWORK, peer, what);
  }

  /// Goes on with the connections that there are, or ends the session where there is none.
  private void doWithout(Failure cause) {
    if (makesDo()) {
      insight.note(cause.getMessage() + " (the session goes on without that connection)");
    } else {
      session.fail(cause.with(session.whatIsKept()));
    }
  }

  /// Wants no more connections than there are. Those may be lost the next moment: what follows from
  /// that, follows then.
  ///
  /// @return false if there is none; then there will be none, since nobody else opens any
  private boolean makesDo() {
    synchronized (end) {
      wanted = Math.max(1, open.size());
      trouble = null;
      return !open.isEmpty();
    }
  }

  /// If there are other connections the session is known there, whatever was said of it: it is
  /// about to end, and this one came too late.
  private void forgotten() {
    Failure cause =
        Failure.of(ExitCode.NETWORK, peer, "the receiver knows nothing of this session any more");
    if (!makesDo()) {
      session.forget(cause.with(session.whatIsKept()));
    }
  }

  private void add(Dialling.Reached reached, int number) {
    Line line = new Line(session, number, reached.connection(), engines, rate, peer, this::ended);
    boolean isWanted;
    synchronized (end) {
      isWanted = session.isRunning();
      if (isWanted) {
        session.up(number);
        open.add(line);
        trouble = null;
        insight.connections(open.size());
      }
    }
    if (isWanted) {
      line.start();
    } else {
      hangUp(reached.connection());
    }
  }

  private static void hangUp(Connection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // Nothing was said on it, and nothing will be.
    }
  }

  private void ended(Line line, Failure cause) {
    Failure loss = null;
    try {
      session.down(line.number());
    } catch (RuntimeException | Error e) {
      session.fail(Reasons.defect(peer, e));
    } finally {
      synchronized (end) {
        open.remove(line);
        if (session.isRunning()) {
          loss = cause != null ? cause : left();
          trouble = trouble == null ? loss : trouble;
        }
        session.wake();
      }
      openMore();
    }
    if (loss != null && retries > 0) {
      insight.note(loss.getMessage() + " (a connection is lost; connecting anew)");
    }
  }

  private Failure left() {
    return Failure.of(ExitCode.NETWORK, peer, "the receiver ended a connection");
  }
}

package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Insight;
import dev.zcp.session.PeerSession;
import dev.zcp.session.SessionConnections;
import dev.zcp.tree.Reasons;
import java.io.IOException;

/// The connections of a sender's session, whoever makes them.
final class ConnectionPool implements PeerSession {

  /// How long a receiver that is told why the session ends may take to hear it, and the threads of
  /// a connection to leave it.
  private static final long GOODBYE_NS = 2_000_000_000L;

  /// What a sender needs to serve a connection.
  ///
  /// @param rate over all connections
  /// @param congestion what the kernel was asked for, or null
  /// @param patienceNs how long the session may be without a connection
  record LineTerms(
      Engines engines, RateLimit rate, String congestion, int connectionsMax, long patienceNs) {}

  private final SendingSession session;
  private final Insight insight;
  private final String peer;
  private final LineTerms terms;
  private final SessionConnections<SenderConnection> connections;

  private volatile long bytesAll = -1;

  /// Whether nobody could change bytes unseen on any connection so far.
  private volatile boolean tamperProof = true;

  /// Whether the session began by ssh.
  private volatile boolean hasControl;

  /// Run with the first connection that is up, and if there is none. Guarded by this; null after.
  private Runnable whenBegun;

  /// @param whenBegun called once: when there is a connection, or when there will be none
  ConnectionPool(
      SendingSession session, Insight insight, String peer, LineTerms terms, Runnable whenBegun) {
    this.session = session;
    this.insight = insight;
    this.peer = peer;
    this.terms = terms;
    this.whenBegun = whenBegun;
    this.connections = new SessionConnections<>(terms.connectionsMax());
    session.whenAgreed(connections::changed);
  }

  /// The session is over.
  void over() {
    connections.end(session.failure());
  }

  /// So many bytes are to come; -1 if that is not known.
  void expect(long bytes) {
    bytesAll = bytes;
  }

  /// Whether nobody could change bytes unseen on any connection so far.
  boolean isTamperProof() {
    return tamperProof;
  }

  /// Ends all connections, once the session is over. If it failed, they have a while to tell the
  /// receiver.
  ///
  /// @param well whether the receiver has said its last word
  void close(boolean well) {
    if (!well) {
      awaitNone();
    }
    for (SenderConnection line : connections.open()) {
      if (well) {
        line.farewell();
      }
      line.hangUp();
    }
    awaitNone();
  }

  private void awaitNone() {
    connections.await(() -> connections.open().isEmpty(), GOODBYE_NS);
  }

  @Override
  public SessionConnections<SenderConnection> connections() {
    return connections;
  }

  @Override
  public Failure serve(int number, Connection connection, Link link) {
    SenderConnection line =
        new SenderConnection(
            session, number, connection, terms.engines(), terms.rate(), peer, connections::act);
    // The session must know of it before others can see that it is there.
    session.up(number, connection.isControl());
    int open = connections.up(line);
    if (open == 0) {
      session.down(number);
      close(connection);
      return null;
    }
    Failure loss = null;
    try {
      tamperProof &= connection.isTamperProof();
      hasControl |= connection.isControl();
      welcome(link, open);
      loss = line.serve();
    } finally {
      if (hasControl && !connection.isControl()) {
        insight.wentDirect(connection.movedBytes());
      }
      down(line, loss);
    }
    if (session.isRunning()) {
      return loss == null ? left() : loss;
    }
    // The connection that heard the end may not have told yet: nobody is to open another one.
    over();
    return null;
  }

  private void welcome(Link link, int open) {
    insight.connections(open);
    Runnable begun = takeBegun();
    if (begun != null) {
      insight.connected(link);
      if (terms.congestion() != null) {
        insight.congestion(terms.congestion());
      }
      begun.run();
    } else if (hasControl) {
      insight.alsoConnected(link);
    }
  }

  private synchronized Runnable takeBegun() {
    Runnable begun = whenBegun;
    whenBegun = null;
    return begun;
  }

  private void down(SenderConnection line, Failure loss) {
    try {
      session.down(line.number());
    } catch (RuntimeException | Error e) {
      session.fail(Reasons.defect(peer, e));
    } finally {
      connections.down(line, loss == null ? left() : loss);
      session.wake();
    }
  }

  private Failure left() {
    return Failure.of(ExitCode.NETWORK, peer, "the receiver ended a connection");
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // Nothing was said on it, and nothing will be.
    }
  }

  @Override
  public void leave() {
    try {
      connections.awaitReturn(terms.patienceNs());
      Failure ending = connections.ending();
      if (ending != null) {
        fail(ending.with(whatIsKept()));
      }
    } catch (InterruptedException e) {
      fail(Failure.of(ExitCode.INTERNAL, peer, "interrupted").because(e));
      Thread.currentThread().interrupt();
    }
    Runnable begun = connections.leave() ? takeBegun() : null;
    if (begun != null) {
      fail(Failure.of(ExitCode.NETWORK, peer, "the receiver left at once"));
      begun.run();
    }
  }

  @Override
  public void note(String message) {
    insight.note(message);
  }

  @Override
  public boolean giveWay() {
    boolean wasRunning = session.isRunning();
    fail(Failure.of(ExitCode.EXISTS, peer, "was idle, and made room for another receiver"));
    return wasRunning;
  }

  @Override
  public void fail(Failure cause) {
    session.fail(cause);
  }

  @Override
  public void lose(Failure cause) {
    connections.open().forEach(SenderConnection::hangUp);
    session.fail(cause);
  }

  @Override
  public void forget(Failure cause) {
    session.forget(cause);
  }

  @Override
  public int connectionsMax() {
    return session.agreement().connectionsMax();
  }

  @Override
  public boolean isAgreed() {
    return session.agreement().isReached();
  }

  @Override
  public long bytesDone() {
    return session.bytesAcknowledged();
  }

  @Override
  public long bytesAll() {
    return bytesAll;
  }

  @Override
  public long progress() {
    return session.progress();
  }

  @Override
  public String whatIsKept() {
    return session.whatIsKept();
  }
}

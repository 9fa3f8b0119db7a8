package dev.zcp.session;

import dev.zcp.carrier.Acceptor;
import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.DataBuffer;
import dev.zcp.carrier.PipeCarrier;
import dev.zcp.carrier.PipeCarrier.PipeLife;
import dev.zcp.carrier.SocketAcceptor;
import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.linux.StandardStreams;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/// The standard streams of an end that the other one has started, as the first connection of one
/// session, which ends with it. Further connections come by TLS to a port. If only the port is
/// asked for, the streams are no connection.
public final class ServedPipe implements Acceptor, PipeLife {

  /// How long a thread may take to leave a pipe that was cut. Nothing frees it from a system call
  /// on the pipe: the process ends instead.
  private static final long LEAVE_MS = 1_000;

  private final String peer;
  private final PipeCarrier carrier;

  // All below is guarded by this.

  /// Null if there are no further connections.
  private SocketAcceptor port;

  private boolean portOnly;

  private boolean accepted;

  /// How many are not over.
  private int sessions;

  private boolean wasCut;
  private boolean left;
  private boolean over;

  /// @param peer the other end, as messages name it
  public ServedPipe(StandardStreams streams, String peer) throws IOException {
    this.peer = peer;
    this.carrier = new PipeCarrier(streams, peer, this, System.getenv("SSH_CONNECTION") != null);
  }

  public Carrier carrier() {
    return carrier;
  }

  /// Listens for connections at a free port of this address, if that can be.
  ///
  /// @param self what this end does
  /// @param portOnly whether the pipe is no connection
  /// @return where it listens; null if it cannot
  public synchronized InetSocketAddress listen(InetAddress address, Side self, boolean portOnly) {
    this.portOnly = portOnly;
    try {
      port =
          new SocketAcceptor(new InetSocketAddress(address, 0), DataBuffer.of(self), 0, null, true);
      return new InetSocketAddress(address, port.port());
    } catch (IOException e) {
      // The caller says what goes on without it.
      return null;
    }
  }

  /// Whether the pipe is a connection, which the session ends with.
  synchronized boolean isConnection() {
    return !portOnly;
  }

  /// Serves the session.
  ///
  /// @throws Failure NETWORK if none began, or the connection is stuck
  public Result serve(
      Side self, Peering peering, HelloTerms hello, Sessions.Factory factory, Listener listener)
      throws Failure {
    ListeningEnd.ListeningTerms terms =
        new ListeningEnd.ListeningTerms(
            self,
            Keys.given(peering.address(), peering.key()),
            hello,
            peering.flow().stallTimeoutNs());
    Sessions sessions =
        new Sessions(
            (first, whenClosed) -> {
              began();
              return factory.begin(
                  first,
                  (session, result) -> {
                    whenClosed.accept(session, result);
                    ended();
                  });
            },
            true,
            true);
    ListeningEnd end = new ListeningEnd(this, terms, sessions, listener);
    Result result;
    try {
      result = end.serve();
    } finally {
      end.tellOfStrangers();
    }
    if (result == null) {
      throw Failure.of(ExitCode.NETWORK, peer, "the connection ended");
    }
    return result;
  }

  private synchronized void began() {
    sessions++;
  }

  /// One that no connection came to has no result, and nobody waits for another one.
  private synchronized void ended() {
    sessions--;
    closeIfIdle();
  }

  private void closeIfIdle() {
    if (left && sessions == 0) {
      close();
    }
  }

  /// Gives the pipe first, if it is a connection, and then what connects to the port.
  @Override
  public Carrier accept() throws IOException, Failure {
    SocketAcceptor further;
    synchronized (this) {
      if (!accepted && !portOnly) {
        accepted = true;
        return carrier;
      }
      awaitPortOrEnd();
      further = port;
    }
    return further.accept();
  }

  private void awaitPortOrEnd() throws ClosedChannelException {
    try {
      while (port == null && !over) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      over = true;
    }
    if (over) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public synchronized void close() {
    over = true;
    notifyAll();
    if (port != null) {
      Quietly.close(port);
    }
  }

  /// If a thread is still in the pipe [#LEAVE_MS] later, it is stuck, and [#serve] returns all the
  /// same.
  @Override
  public synchronized void cut() {
    if (wasCut) {
      return;
    }
    wasCut = true;
    Daemon.start(this::closeIfStuck, "zcp-pipe-end");
  }

  private synchronized void closeIfStuck() {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVE_MS);
    try {
      while (!left && System.nanoTime() - endNs < 0) {
        wait(LEAVE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!left) {
      close();
    }
  }

  @Override
  public synchronized void closed() {
    left = true;
    notifyAll();
    closeIfIdle();
  }
}

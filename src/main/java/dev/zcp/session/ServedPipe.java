package dev.zcp.session;

import dev.zcp.carrier.Acceptor;
import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.PipeCarrier;
import dev.zcp.carrier.PipeCarrier.PipeLife;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.linux.StandardStreams;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/// The standard streams of an end that the other one has started, as the one connection of one
/// session, which ends with it.
public final class ServedPipe implements Acceptor, PipeLife {

  /// How long a thread may take to leave a pipe that was cut. Nothing frees it from a system call
  /// on the pipe: the process ends instead.
  private static final long LEAVE_NS = 1_000_000_000L;

  private static final long LOOK_MS = 100;

  private final String peer;
  private final PipeCarrier carrier;

  // All below is guarded by this.
  private boolean accepted;
  private boolean begun;
  private boolean over;
  private boolean left;

  /// When the connection was cut; 0 before.
  private long cutNs;

  /// @param peer the other end, as messages name it
  public ServedPipe(StandardStreams streams, String peer) throws IOException {
    this.peer = peer;
    this.carrier = new PipeCarrier(streams, peer, this);
  }

  public Carrier carrier() {
    return carrier;
  }

  /// Serves the session.
  ///
  /// @throws Failure NETWORK if none began, or the connection is stuck
  public Result serve(Side self, Peering peering, Sessions.Factory factory, Listener listener)
      throws Failure {
    ListeningEnd.ListeningTerms terms =
        new ListeningEnd.ListeningTerms(
            self,
            Keys.given(peering.address(), peering.key()),
            false,
            false,
            peering.flow().stallTimeoutNs());
    Sessions sessions =
        new Sessions(
            (first, whenClosed) -> {
              begin();
              return factory.begin(first, whenClosed);
            },
            true,
            true);
    Result result = new ListeningEnd(this, terms, sessions, listener).serve();
    if (result == null) {
      throw Failure.of(ExitCode.NETWORK, peer, "the connection ended");
    }
    return result;
  }

  private synchronized void begin() {
    begun = true;
  }

  /// The first time it gives the connection; then it waits until there will be no more to do.
  @Override
  public synchronized Carrier accept() throws ClosedChannelException {
    if (!accepted) {
      accepted = true;
      return carrier;
    }
    try {
      while (!over && !isVain()) {
        wait(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ClosedChannelException();
  }

  /// Whether no session will come, or a thread is stuck in the one that has.
  private boolean isVain() {
    return left ? !begun : cutNs != 0 && System.nanoTime() - cutNs > LEAVE_NS;
  }

  @Override
  public synchronized void close() {
    over = true;
    notifyAll();
  }

  @Override
  public synchronized void cut() {
    cutNs = cutNs == 0 ? System.nanoTime() : cutNs;
  }

  @Override
  public synchronized void closed() {
    left = true;
    notifyAll();
  }
}

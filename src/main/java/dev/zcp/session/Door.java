package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import dev.zcp.wire.Side;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;

/// Where senders come in: each connection has a thread of its own, and their number is bounded.
/// Whoever does not prove the key is turned away and ends nothing, so that a stranger can stop no
/// receiver.
final class Door implements Closeable {

  /// Connections at a time, those that have proved nothing yet among them.
  private static final int CONNECTIONS_MAX = 16;

  /// Accepting fails at once, again and again, while the process has no descriptor left.
  private static final long ACCEPT_PAUSE_MS = 100;

  /// accept(2) failing this often in a row will not mend itself.
  private static final int ACCEPT_FAILURES_MAX = 100;

  private final ServerSocketChannel server;
  private final Engine engine;
  private final LandingPlace place;
  private final Key key;
  private final ReceiveRequest request;
  private final Listener listener;

  private final Semaphore seats = new Semaphore(CONNECTIONS_MAX);
  private final boolean once;

  // Guarded by this.
  private boolean taken;
  private Result result;

  Door(
      ServerSocketChannel server,
      Engine engine,
      LandingPlace place,
      Key key,
      ReceiveRequest request,
      Listener listener) {
    this.server = server;
    this.engine = engine;
    this.place = place;
    this.key = key;
    this.request = request;
    this.listener = listener;
    this.once = request.once() || request.directory().isStandardStream();
  }

  /// Lets senders in until the one transfer is over that was asked for, or for ever.
  ///
  /// @return the result of that transfer
  Result serve() throws Failure {
    int failures = 0;
    while (true) {
      try {
        SocketChannel channel = server.accept();
        failures = 0;
        admit(channel);
      } catch (ClosedChannelException e) {
        return result();
      } catch (IOException e) {
        failures++;
        if (failures == ACCEPT_FAILURES_MAX) {
          throw Failure.of(ExitCode.NETWORK, request.listen().toString(), Reasons.of(e)).because(e);
        }
        pause();
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  private synchronized Result result() {
    return result;
  }

  private static void pause() {
    try {
      Thread.sleep(ACCEPT_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void admit(SocketChannel channel) throws IOException {
    if (!seats.tryAcquire()) {
      channel.close();
      listener.on(new Event.Noted("turned a connection away: " + CONNECTIONS_MAX + " are open"));
      return;
    }
    Thread thread = new Thread(() -> attend(channel), "zcp-session");
    thread.setDaemon(true);
    thread.start();
  }

  private void attend(SocketChannel channel) {
    try (channel;
        Pulse pulse = new Pulse(channel)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      String peer = peerOf(channel);
      SessionKeys keys = new Greeting(channel, peer, pulse).asReceiver(key, this::takeTurn);
      try (Connection connection =
          new Connection(channel, pulse, Side.RECEIVER, keys, request.stallTimeoutNs())) {
        session(connection, peer);
      }
    } catch (Failure failure) {
      listener.on(new Event.Noted(failure.getMessage()));
    } catch (IOException e) {
      listener.on(new Event.Noted("a connection failed: " + Reasons.of(e)));
    } finally {
      seats.release();
    }
  }

  private void session(Connection connection, String peer) throws IOException {
    Insight insight = new Insight("receive", engine.asked(), listener);
    insight.connected(peer);
    insight.started(-1, -1);
    new ReceivingSession(connection, peer, engine, place, insight).run();
    // The connection's end is the sender's signal that this end is through with it.
    connection.close();
    Result finished = insight.finish();
    if (once) {
      synchronized (this) {
        result = finished;
      }
      server.close();
    }
  }

  /// Whether a sender that has proved the key may begin.
  private synchronized boolean takeTurn() {
    boolean free = !once || !taken;
    taken = true;
    return free;
  }

  private static String peerOf(SocketChannel channel) throws IOException {
    InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
    return new Address(
            Address.Scheme.PLAIN, null, remote.getAddress().getHostAddress(), remote.getPort())
        .toString();
  }
}

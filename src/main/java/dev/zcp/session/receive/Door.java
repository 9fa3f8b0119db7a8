package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Link;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import dev.zcp.session.Address;
import dev.zcp.session.Reasons;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.link.Connection;
import dev.zcp.session.link.DataBuffer;
import dev.zcp.session.link.Greeting;
import dev.zcp.session.link.Pulse;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/// Where senders come in: each connection has a thread of its own, and their number is bounded.
/// Whoever does not prove the key is turned away and ends nothing, so that a stranger can stop no
/// receiver; nor can many of them keep a sender out, since the one that has proved nothing for the
/// longest makes room for whoever comes.
final class Door implements Closeable {

  /// Connections at a time that have proved nothing yet. A sender proves its key within two round
  /// trips, so only that many others in this time would push it out.
  private static final int STRANGERS_MAX = 16;

  /// Senders at a time.
  private static final int SESSIONS_MAX = 16;

  /// Accepting fails at once, again and again, while the process has no descriptor left.
  private static final long ACCEPT_PAUSE_MS = 100;

  /// accept(2) failing this often in a row will not mend itself.
  private static final int ACCEPT_FAILURES_MAX = 100;

  private final ServerSocketChannel server;
  private final Engine engine;
  private final Key key;
  private final ReceiveRequest request;
  private final Listener listener;

  private final boolean once;

  // All below is guarded by this.

  /// Connections that have proved nothing yet, the oldest first.
  private final Deque<SocketChannel> strangers = new ArrayDeque<>();

  private final Set<SocketChannel> guests = new HashSet<>();
  private Result result;

  Door(
      ServerSocketChannel server,
      Engine engine,
      Key key,
      ReceiveRequest request,
      Listener listener) {
    this.server = server;
    this.engine = engine;
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

  private void admit(SocketChannel channel) {
    SocketChannel oldest;
    synchronized (this) {
      strangers.add(channel);
      oldest = strangers.size() > STRANGERS_MAX ? strangers.poll() : null;
    }
    if (oldest != null) {
      turnAway(oldest);
    }
    Thread thread = new Thread(() -> attend(channel), "zcp-session");
    thread.setDaemon(true);
    thread.start();
  }

  /// Ends a connection that another thread reads from, which closes it then.
  private static void turnAway(SocketChannel channel) {
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      // It was closed meanwhile: that is what was wanted.
    }
  }

  private void attend(SocketChannel channel) {
    try (channel;
        Pulse pulse = new Pulse(channel)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      String peer = peerOf(channel);
      Greeting greeting = new Greeting(channel, peer, pulse, request.admission().discard());
      SessionKeys keys =
          greeting
              .asReceiver(
                  key,
                  (id, number) -> takeTurn(channel) ? Welcome.Status.ACCEPTED : Welcome.Status.BUSY)
              .keys();
      try (Connection connection =
          new Connection(channel, pulse, Side.RECEIVER, keys, request.flow().stallTimeoutNs())) {
        session(connection, linkTo(channel, peer));
      }
    } catch (Failure failure) {
      listener.on(new Event.Noted(failure.getMessage()));
    } catch (IOException e) {
      listener.on(new Event.Noted("a connection failed: " + Reasons.of(e)));
    } catch (RuntimeException | Error e) {
      listener.on(new Event.Noted(Reasons.defect("a connection", e).getMessage()));
    } finally {
      leave(channel);
    }
  }

  private Link linkTo(SocketChannel channel, String peer) throws IOException {
    int asked = request.flow().socketBufferBytes();
    return new Link(
        peer, request.admission().discard(), DataBuffer.RECEIVING.given(channel, asked));
  }

  private void session(Connection connection, Link link) throws IOException {
    Insight insight = new Insight("receive", engine.asked(), listener);
    insight.connected(link);
    insight.started(-1, -1);
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

  /// Whether the sender behind `channel`, which has proved the key, may begin.
  private synchronized boolean takeTurn(SocketChannel channel) {
    boolean free = once ? guests.isEmpty() && result == null : guests.size() < SESSIONS_MAX;
    // One that is no stranger any more was turned away a moment ago.
    return strangers.remove(channel) && free && guests.add(channel);
  }

  /// The turn of a sender that was lost before its session began is another's.
  private synchronized void leave(SocketChannel channel) {
    strangers.remove(channel);
    guests.remove(channel);
  }

  private static String peerOf(SocketChannel channel) throws IOException {
    InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
    return new Address(
            Address.Scheme.PLAIN, null, remote.getAddress().getHostAddress(), remote.getPort())
        .toString();
  }
}

package dev.zcp.session.receive;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.link.CongestionControl;
import dev.zcp.session.link.Connection;
import dev.zcp.session.link.DataBuffer;
import dev.zcp.session.link.Greeting;
import dev.zcp.session.link.Pulse;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.random.RandomGenerator;

/// Where senders come in: each connection has a thread of its own, and their number is bounded.
/// Whoever does not prove the key is turned away and ends nothing, so that a stranger can stop no
/// receiver; nor can many [Strangers] keep a sender out. Who has proved it is for the [Sessions] to
/// take.
final class Door implements Closeable {

  /// Accepting fails at once, again and again, while the process has no descriptor left.
  private static final long ACCEPT_PAUSE_MS = 100;

  /// accept(2) failing this often in a row will not mend itself.
  private static final int ACCEPT_FAILURES_MAX = 100;

  private final ServerSocketChannel server;
  private final Key key;
  private final ReceiveRequest request;
  private final Listener listener;
  private final Sessions sessions;

  private final Strangers<SocketChannel> strangers = new Strangers<>(RandomGenerator.getDefault());

  Door(ServerSocketChannel server, Key key, Means means) {
    this.server = server;
    this.key = key;
    this.request = means.request();
    this.listener = means.listener();
    boolean once = request.once() || request.directory().isStandardStream();
    this.sessions = new Sessions(means, once, this::shut);
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
      } catch (OutOfMemoryError e) {
        // Of heap or of threads; others may give some back.
        pause();
      } catch (ClosedChannelException e) {
        return sessions.result();
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

  /// The transfer that was asked for is over: [#serve] is to return.
  private void shut() {
    try {
      server.close();
    } catch (IOException e) {
      // It is closed all the same: accept(2) returns, and that is what counts.
    }
  }

  private static void pause() {
    try {
      Thread.sleep(ACCEPT_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void admit(SocketChannel channel) {
    SocketChannel out = strangers.add(channel, channel.socket().getInetAddress());
    if (out != null) {
      turnAway(out);
    }
    boolean started = false;
    try {
      Thread thread = new Thread(() -> attend(channel), "zcp-session");
      thread.setDaemon(true);
      thread.start();
      started = true;
    } finally {
      if (!started) {
        forget(channel);
        closeQuietly(channel);
      }
    }
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was said on it.
    }
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
    Joining joining = new Joining();
    try (channel;
        Pulse pulse = new Pulse(channel)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      CongestionControl.ask(channel, request.flow().congestion());
      String peer = peerOf(channel);
      Greeting.Joined joined =
          new Greeting(channel, peer, pulse, request.admission().discard())
              .asReceiver(key, (id, number) -> joining.ask(channel, id, number, peer));
      Link link = linkTo(channel, peer);
      try (Connection connection =
          new Connection(
              channel, pulse, Side.RECEIVER, joined.keys(), request.flow().stallTimeoutNs())) {
        joining.serve(joined.connection(), connection, link);
      }
    } catch (Failure failure) {
      if (!joining.late) {
        listener.on(new Event.Noted(failure.getMessage()));
      }
    } catch (IOException e) {
      listener.on(new Event.Noted("a connection failed: " + Reasons.of(e)));
    } catch (RuntimeException | Error e) {
      listener.on(new Event.Noted(Reasons.defect("a connection", e).getMessage()));
    } finally {
      forget(channel);
      joining.leave();
    }
  }

  private Link linkTo(SocketChannel channel, String peer) throws IOException {
    int asked = request.flow().socketBufferBytes();
    return new Link(
        peer, request.admission().discard(), DataBuffer.RECEIVING.given(channel, asked));
  }

  private boolean forget(SocketChannel channel) {
    return strangers.remove(channel);
  }

  private static String peerOf(SocketChannel channel) throws IOException {
    InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
    return new Address(
            Address.Scheme.PLAIN, null, remote.getAddress().getHostAddress(), remote.getPort())
        .toString();
  }

  /// The part of one connection in its session. Belongs to the connection's thread.
  private final class Joining {

    /// Null while the connection is let into none.
    private ReceivingSession session;

    /// Whether it came to a session that is over: a sender that adds connections may not know yet.
    private boolean late;

    private boolean served;

    /// Whether the sender behind `channel`, which has proved the key, may come in.
    Welcome.Status ask(SocketChannel channel, Octets id, int number, String peer) {
      // One that is no stranger any more was turned away a moment ago.
      if (!forget(channel)) {
        return Welcome.Status.BUSY;
      }
      Sessions.Admitted admitted = sessions.admit(id, number, peer);
      session = admitted.session();
      late = admitted.isLate();
      return admitted.status();
    }

    void serve(int number, Connection connection, Link link) {
      served = true;
      session.serve(number, connection, link);
    }

    void leave() {
      if (session != null) {
        if (!served) {
          session.attendance().missed();
        }
        session.leave();
      }
    }
  }
}

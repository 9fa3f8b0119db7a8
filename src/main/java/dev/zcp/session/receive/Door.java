package dev.zcp.session.receive;

import dev.zcp.carrier.Acceptor;
import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.Watchdog;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.Greeting;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
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

  private final Acceptor acceptor;
  private final Watchdog watchdog = new Watchdog();
  private final Key key;
  private final ReceiveRequest request;
  private final Listener listener;
  private final Sessions sessions;

  private final Strangers<Carrier> strangers = new Strangers<>(RandomGenerator.getDefault());

  Door(Acceptor acceptor, Key key, Means means) {
    this.acceptor = acceptor;
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
        Carrier carrier = acceptor.accept();
        failures = 0;
        admit(carrier);
      } catch (OutOfMemoryError e) {
        // Of heap or of threads; others may give some back.
        pause();
      } catch (ClosedChannelException e) {
        return sessions.result();
      } catch (Failure failure) {
        listener.on(new Event.Noted(failure.getMessage()));
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
    acceptor.close();
  }

  /// The transfer that was asked for is over: [#serve] is to return.
  private void shut() {
    try {
      acceptor.close();
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

  private void admit(Carrier carrier) {
    Carrier out = strangers.add(carrier, carrier.address());
    if (out != null) {
      // The thread that reads from it closes it then.
      out.cut();
    }
    boolean started = false;
    try {
      Thread thread = new Thread(() -> attend(carrier), "zcp-handshake");
      thread.setDaemon(true);
      thread.start();
      started = true;
    } finally {
      if (!started) {
        forget(carrier);
        closeQuietly(carrier);
      }
    }
  }

  private static void closeQuietly(Carrier carrier) {
    try {
      carrier.close();
    } catch (IOException e) {
      // Nothing was said on it.
    }
  }

  private void attend(Carrier carrier) {
    Joining joining = new Joining();
    try (carrier;
        PeerTimeout timeout = watchdog.watch(carrier)) {
      String peer = carrier.peer();
      Greeting.Joined joined =
          new Greeting(carrier, peer, timeout, request.admission().discard())
              .asReceiver(key, (id, number) -> joining.ask(carrier, id, number, peer));
      Link link = new Link(peer, request.admission().discard(), carrier.buffer());
      try (Connection connection =
          new Connection(
              carrier, timeout, Side.RECEIVER, joined.keys(), request.flow().stallTimeoutNs())) {
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
      forget(carrier);
      joining.leave();
    }
  }

  private boolean forget(Carrier carrier) {
    return strangers.remove(carrier);
  }

  /// The part of one connection in its session. Belongs to the connection's thread.
  private final class Joining {

    /// Null while the connection is let into none.
    private ReceivingSession session;

    /// Whether it came to a session that is over: a sender that adds connections may not know yet.
    private boolean late;

    private boolean served;

    /// Whether the sender behind `carrier`, which has proved the key, may come in.
    Welcome.Status ask(Carrier carrier, Octets id, int number, String peer) {
      // One that is no stranger any more was turned away a moment ago.
      if (!forget(carrier)) {
        return Welcome.Status.BUSY;
      }
      Sessions.Admitted admitted = sessions.admit(id, number, peer);
      session = admitted.session();
      late = admitted.isLate();
      return admitted.status();
    }

    void serve(int number, Connection connection, Link link) {
      served = true;
      Thread.currentThread().setName("zcp-read-" + number);
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

package dev.zcp.session;

import dev.zcp.carrier.Acceptor;
import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.linux.OwnProcess;
import dev.zcp.secure.Key;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.random.RandomGenerator;

/// Where peers come in: each connection has a thread of its own, and their number is bounded.
/// Whoever does not prove the key is turned away and ends nothing, so that a stranger can stop
/// nobody; nor can many [Strangers] keep a peer out. Who has proved it is for the [Sessions] to
/// take.
public final class ListeningEnd implements Closeable {

  /// Accepting fails at once, again and again, while the process has no descriptor left.
  private static final long ACCEPT_PAUSE_MS = 100;

  /// accept(2) failing this often in a row will not mend itself.
  private static final int ACCEPT_FAILURES_MAX = 100;

  /// What every connection is held to.
  ///
  /// @param self what this end does
  public record ListeningTerms(Side self, Key key, HelloTerms hello, long stallTimeoutNs) {}

  private final Acceptor acceptor;
  private final ListeningTerms terms;
  private final Sessions sessions;
  private final Listener listener;

  private final Strangers<Carrier> strangers =
      new Strangers<>(RandomGenerator.getDefault(), OwnProcess.descriptorsMax());
  private final StrangerNotes strangerNotes;

  public ListeningEnd(
      Acceptor acceptor, ListeningTerms terms, Sessions sessions, Listener listener) {
    this.acceptor = acceptor;
    this.terms = terms;
    this.sessions = sessions;
    this.listener = listener;
    this.strangerNotes = new StrangerNotes(listener, StrangerNotes.PAUSE_NS);
    // accept(2) returns by this, and so does serve.
    sessions.whenOver(() -> Quietly.close(acceptor));
  }

  /// Lets peers in until the one transfer is over that was asked for, or for ever.
  ///
  /// @return the result of that transfer
  public Result serve() throws Failure {
    int failures = 0;
    while (true) {
      try {
        Carrier accepted = acceptor.accept();
        failures = 0;
        admit(accepted);
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
          throw Failure.of(ExitCode.NETWORK, "listening", Reasons.of(e)).because(e);
        }
        pause();
      }
    }
  }

  @Override
  public void close() throws IOException {
    acceptor.close();
    tellOfStrangers();
  }

  /// Tells what is to be told yet of connections that failed.
  ///
  /// @return whether there was anything
  boolean tellOfStrangers() {
    return strangerNotes.tellRest();
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
      // The thread that reads from it closes it then. It may be a good peer's: that tries again.
      out.breakOff();
    }
    boolean started = false;
    try {
      Daemon.start(() -> attend(carrier), "zcp-handshake");
      started = true;
    } finally {
      if (!started) {
        strangers.remove(carrier);
        Quietly.close(carrier);
      }
    }
  }

  private void attend(Carrier carrier) {
    Joining joining = new Joining();
    try (carrier;
        PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      String peer = carrier.peer();
      Greeting.Joined joined =
          new Greeting(carrier, terms.self(), peer, timeout, terms.hello())
              .asListener(terms.key(), (id, number) -> joining.ask(carrier, id, number));
      Hello receiver = joined.receiver();
      Link link = new Link(peer, receiver.isDiscarding(), carrier.encryptedBy(), carrier.buffer());
      joining.serve(
          receiver.connection(),
          new Connection(carrier, timeout, terms.self(), joined.keys(), terms.stallTimeoutNs())
              .toReceiver(receiver.takesCompressed(), receiver.room()),
          link);
    } catch (Failure failure) {
      if (!joining.late) {
        joining.note(failure.getMessage());
      }
    } catch (IOException e) {
      joining.note("a connection failed: " + Reasons.of(e));
    } catch (RuntimeException | Error e) {
      joining.note(Reasons.defect("a connection", e).getMessage());
    } finally {
      strangers.remove(carrier);
      joining.leave();
    }
  }

  /// The part of one connection in its session. Belongs to the connection's thread.
  private final class Joining {

    /// Null while the connection is let into none.
    private PeerSession session;

    /// Whether it came to a session that is over: a peer that adds connections may not know yet.
    private boolean late;

    private boolean served;
    private boolean isProved;

    /// Whether the peer behind `carrier`, which has proved the key, may come in.
    ///
    /// @throws IOException if it has made room for others a moment ago
    Welcome ask(Carrier carrier, Bytes id, int number) throws IOException {
      if (!strangers.remove(carrier)) {
        throw new IOException("made room for other connections");
      }
      isProved = true;
      Sessions.Admitted admitted = sessions.admit(id, number, carrier);
      session = admitted.session();
      late = admitted.isLate();
      return admitted.status();
    }

    void serve(int number, Connection connection, Link link) {
      served = true;
      Thread.currentThread().setName("zcp-read-" + number);
      Failure loss = session.serve(number, connection, link);
      if (loss != null && connection.isControl()) {
        session.lose(loss);
      }
      int left = session.connections().open().size();
      if (loss != null && left > 0 && !session.connections().isOver()) {
        session.note(loss.getMessage() + " (the session goes on over " + left + " more)");
      }
    }

    /// The connection has failed.
    void note(String message) {
      if (isProved) {
        listener.on(new Event.Noted(message));
      } else {
        strangerNotes.failed(message);
      }
    }

    void leave() {
      if (session != null) {
        if (!served) {
          session.connections().missed();
        }
        session.leave();
      }
    }
  }
}

package dev.zcp.session;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.CongestionControl;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.DataBuffer;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.insight.Event.Link;
import dev.zcp.secure.Key;
import dev.zcp.secure.Randomness;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Side;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Makes connections to one listener, each proved by the key.
public final class Dialling {

  /// How long a peer has to say that it is a listener if there is no key for it yet.
  private static final long KEYLESS_NS = 1_000_000_000;

  /// How long the port of a listener that was killed may stay open.
  private static final long ENDED_NS = 100_000_000;

  private final Side self;
  private final Peering peering;
  private final Dialler dialler;
  private final boolean encrypted;
  private final HelloTerms hello;
  private final String peer;

  /// Null if the user gave none.
  private final Key given;

  /// The last one that a listener of the same user left; null until it was asked for.
  private Key left;

  /// Whether somebody had taken the last connection, whatever became of it.
  private volatile boolean answered;

  /// @param self what this end does
  /// @param dialler null for TCP
  /// @throws Failure USAGE if the address and the options contradict each other, or if the key or
  ///   the congestion control that the user named is none; NETWORK if there is no such host
  public Dialling(Side self, Peering peering, Dialler dialler, HelloTerms hello) throws Failure {
    this.self = self;
    this.peering = peering;
    this.dialler = dialler == null ? bySocket(self, peering) : dialler;
    this.hello = hello;
    this.peer = peering.address().toString();
    this.encrypted = peering.isEncrypted(this.dialler.isLocal());
    CongestionControl.requireKnown(peering.flow().congestion());
    this.given = Keys.given(peering.address(), peering.key());
    if (encrypted) {
      Greeting.prepareTls(false);
    }
  }

  private static Dialler bySocket(Side self, Peering peering) throws Failure {
    Flow flow = peering.flow();
    InetAddress[] addresses = SocketDialler.resolve(peering.address());
    return new SocketDialler(
        peering.address(),
        addresses,
        flow.connectTimeoutNs(),
        DataBuffer.of(self),
        flow.socketBufferBytes(),
        flow.congestion(),
        peering.isEncrypted(SocketDialler.isLoopback(addresses)));
  }

  public boolean isEncrypted() {
    return encrypted;
  }

  /// Whether nobody on the way can change bytes unseen.
  public boolean isTamperProof() {
    return encrypted || dialler.isLocal();
  }

  public Dialler dialler() {
    return dialler;
  }

  /// A connection whose listener has proved the key.
  public record Reached(Connection connection, Link link) {}

  /// @throws ClassCastException if this end does not dial
  public PeerEndpoint.Dial endpoint() {
    return (PeerEndpoint.Dial) peering.endpoint();
  }

  Side other() {
    return self.other();
  }

  public String peer() {
    return peer;
  }

  /// Connects.
  ///
  /// @param number of the connection in its session, never used before
  /// @return null if the listener knows no such session; not of its first connection, whose welcome
  ///   is read before the first frame
  /// @throws Failure if nobody answers, or somebody else
  Reached reach(Bytes sessionId, int number) throws Failure {
    answered = false;
    Carrier carrier = dialler.dial();
    answered = true;
    PeerTimeout timeout = PeerTimeout.watch(carrier);
    boolean reached = false;
    try {
      // Who waits for a connection anew has waited for the lost one already.
      long usualNs = number == 0 ? Limits.HANDSHAKE_DEADLINE_NS : peering.flow().stallTimeoutNs();
      Failure keyless = keyless();
      long deadlineNs = keyless == null ? usualNs : Math.min(KEYLESS_NS, usualNs);
      Greeting greeting = new Greeting(carrier, self, peer, timeout, hello, deadlineNs);
      Greeting.Joined greeted;
      try {
        greeted = greeting.asDialler(() -> keyOf(timeout, usualNs), sessionId, number);
      } catch (Failure failure) {
        throw keyless == null || keyless() == null ? failure : keyless;
      }
      if (greeted == null) {
        return null;
      }
      Hello receiver = greeted.receiver();
      Connection connection =
          new Connection(carrier, timeout, self, greeted.keys(), peering.flow().stallTimeoutNs())
              .toReceiver(receiver.takesCompressed(), receiver.room());
      if (number == 0) {
        connection.expectWelcome();
      }
      boolean isDirect = dialler.hasControl() && !carrier.isControl();
      String reachedPeer = isDirect ? carrier.peer() : peer;
      Link link =
          new Link(reachedPeer, receiver.isDiscarding(), carrier.encryptedBy(), carrier.buffer());
      reached = true;
      return new Reached(connection, link);
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, peer, Reasons.of(e)).because(e);
    } finally {
      if (!reached) {
        timeout.close();
        Quietly.close(carrier);
      }
    }
  }

  /// Makes the first connection of a session. One that breaks during the greeting is made again, as
  /// often as there are retries; if nobody listens, or whoever does ends it in good order or says
  /// nothing, the user has another address in mind, and hears of that at once.
  ///
  /// @param note told of each attempt that failed
  /// @throws Failure as [#reach]
  public First reachFirst(int retries, Consumer<String> note) throws Failure {
    Backoff backoff = new Backoff(retries);
    while (true) {
      // The listener may have begun a session by an attempt that broke: it takes no number twice.
      Bytes sessionId = Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES));
      try {
        return new First(sessionId, reach(sessionId, 0));
      } catch (Failure failure) {
        long waitNs = isBroken(failure) ? backoff.take() : -1;
        if (waitNs < 0) {
          throw isGone(failure)
              ? Failure.of(ExitCode.NETWORK, peer, "the peer ended during the handshake")
                  .because(failure.getCause())
              : failure;
        }
        note.accept(failure.getMessage() + " (connecting anew)");
        pause(waitNs, failure);
      }
    }
  }

  public record First(Bytes sessionId, Reached reached) {}

  private boolean isBroken(Failure failure) {
    Throwable cause = failure.getCause();
    return answered
        && failure.exitCode() == ExitCode.NETWORK
        && cause instanceof IOException
        && !(cause instanceof EOFException);
  }

  /// Whether nobody listens any more where a connection was ended: then it was no stranger's doing.
  private boolean isGone(Failure failure) throws Failure {
    if (!(failure.getCause() instanceof EOFException) || dialler.hasControl()) {
      return false;
    }
    pause(ENDED_NS, failure);
    try {
      Quietly.close(dialler.dial());
      return false;
    } catch (Failure nobody) {
      return true;
    }
  }

  private static void pause(long ns, Failure why) throws Failure {
    try {
      TimeUnit.NANOSECONDS.sleep(ns);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw why;
    }
  }

  /// The key of whoever has said hello, and so has the usual time for the rest.
  private Key keyOf(PeerTimeout timeout, long usualNs) throws Failure {
    Key found = key();
    timeout.hurry(Math.min(usualNs, Limits.HANDSHAKE_DEADLINE_NS));
    return found;
  }

  /// Why there is no key for whoever has answered, or null if there is one. A listener on this
  /// machine may be about to leave it: that one says hello first, and what else is there is not
  /// waited for.
  private Failure keyless() throws Failure {
    try {
      key();
      return null;
    } catch (Failure failure) {
      if (!dialler.isLocal()) {
        throw failure;
      }
      return failure;
    }
  }

  /// Only once somebody has answered: if nobody listens, that is what the user must hear, and not
  /// that there is no key. Looked for each time, since a listener that was begun anew has left
  /// another; one that is about to end has removed its own, and the last one holds.
  private synchronized Key key() throws Failure {
    if (given != null) {
      return given;
    }
    try {
      left = Keys.left(peering.address(), peering.key(), dialler.isLocal());
    } catch (Failure failure) {
      if (left == null) {
        throw failure;
      }
    }
    return left;
  }
}

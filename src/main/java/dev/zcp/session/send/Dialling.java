package dev.zcp.session.send;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.Watchdog;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Insight;
import dev.zcp.secure.Key;
import dev.zcp.secure.Nonce;
import dev.zcp.session.Greeting;
import dev.zcp.session.Keys;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Side;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// Makes connections to one receiver, each proved by the key.
final class Dialling {

  /// How long a peer has to say that it is a receiver where there is no key for it yet.
  private static final long KEYLESS_NS = 1_000_000_000;

  private final SendRequest request;
  private final Dialler dialler;
  private final Watchdog watchdog = new Watchdog();
  private final String peer;

  /// Null where the user gave none.
  private final Key given;

  /// The last one that a receiver of the same user left; null until it was asked for.
  private Key left;

  /// Whether somebody had taken the last connection, whatever became of it.
  private volatile boolean answered;

  Dialling(SendRequest request, Dialler dialler, Key given) {
    this.request = request;
    this.dialler = dialler;
    this.peer = request.address().toString();
    this.given = given;
  }

  /// A connection whose receiver has proved the key.
  ///
  /// @param discards whether the receiver throws away what it takes
  record Reached(Connection connection, boolean discards, SocketBuffer buffer) {}

  /// Connects.
  ///
  /// @param number of the connection in its session, never used before
  /// @return null if the receiver knows no such session
  /// @throws Failure if nobody answers, or somebody else
  Reached reach(Octets sessionId, int number) throws Failure {
    answered = false;
    Carrier carrier = dialler.dial();
    answered = true;
    PeerTimeout timeout = watchdog.watch(carrier);
    boolean reached = false;
    try {
      // Who waits for a connection anew has waited for the lost one already.
      long usualNs = number == 0 ? Limits.HANDSHAKE_DEADLINE_NS : request.flow().stallTimeoutNs();
      Failure keyless = keyless();
      long deadlineNs = keyless == null ? usualNs : Math.min(KEYLESS_NS, usualNs);
      Greeting greeting =
          new Greeting(carrier, peer, timeout, request.sending().mustDiscard(), deadlineNs);
      Greeting.Receiving receiving;
      try {
        receiving = greeting.asSender(() -> keyOf(timeout, usualNs), sessionId, number);
      } catch (Failure failure) {
        throw keyless == null || keyless() == null ? failure : keyless;
      }
      if (!receiving.isJoined()) {
        return null;
      }
      Connection connection =
          new Connection(
              carrier, timeout, Side.SENDER, receiving.keys(), request.flow().stallTimeoutNs());
      SocketBuffer buffer = carrier.buffer();
      reached = true;
      return new Reached(connection, receiving.discards(), buffer);
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, peer, Reasons.of(e)).because(e);
    } finally {
      if (!reached) {
        close(carrier, timeout);
      }
    }
  }

  /// Makes the first connection of a session. One that breaks during the greeting is made again, as
  /// often as there are retries; where nobody listens, or whoever does ends it in good order or
  /// says nothing, the user has another address in mind, and hears of that at once.
  ///
  /// @throws Failure as [#reach]
  First reachFirst(int retries, Insight insight) throws Failure {
    Backoff backoff = new Backoff(retries);
    while (true) {
      // The receiver may have begun a session by an attempt that broke: it takes no number twice.
      Octets sessionId = Octets.of(Nonce.random(Hello.SESSION_ID_BYTES));
      try {
        return new First(sessionId, reach(sessionId, 0));
      } catch (Failure failure) {
        long waitNs = isBroken(failure) ? backoff.take() : -1;
        if (waitNs < 0) {
          throw failure;
        }
        insight.note(failure.getMessage() + " (connecting anew)");
        pause(waitNs, failure);
      }
    }
  }

  /// Whether the bytes stay on this machine.
  boolean isLocal() {
    return dialler.isLocal();
  }

  /// The first connection of a session.
  ///
  /// @param reached null if the receiver will not have it
  record First(Octets sessionId, Reached reached) {}

  private boolean isBroken(Failure failure) {
    Throwable cause = failure.getCause();
    return answered
        && failure.exitCode() == ExitCode.NETWORK
        && cause instanceof IOException
        && !(cause instanceof EOFException);
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

  /// Why there is no key for whoever has answered, or null if there is one. A receiver on this
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

  /// Only once somebody has answered: where nobody listens, that is what the user must hear, and
  /// not that there is no key. Looked for each time, since a receiver that was begun anew has left
  /// another; one that is about to end has removed its own, and the last one holds.
  private synchronized Key key() throws Failure {
    if (given != null) {
      return given;
    }
    try {
      left = Keys.left(request.address(), request.key(), dialler.isLocal());
    } catch (Failure failure) {
      if (left == null) {
        throw failure;
      }
    }
    return left;
  }

  private static void close(Carrier carrier, PeerTimeout timeout) {
    timeout.close();
    try {
      carrier.close();
    } catch (IOException e) {
      // Why it is not used is told.
    }
  }
}

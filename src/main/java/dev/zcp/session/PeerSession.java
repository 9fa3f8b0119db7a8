package dev.zcp.session;

import dev.zcp.carrier.Connection;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Link;

/// One session at this end, whatever its side: what whoever makes its connections needs to know of
/// it, by listening or by dialling. It knows nothing of how they are made.
///
/// Any thread may call any of these.
public interface PeerSession {

  /// Connections of a session at a time, if nobody asks for fewer.
  int CONNECTIONS_MAX = 16;

  SessionConnections<?> connections();

  /// Serves a connection to its end on the calling thread, and closes it. It must have
  /// [joined][SessionConnections#join].
  ///
  /// @return why it was lost; null if all was said on it, if it was closed since it is
  ///   [spent][Connection#isSpent], and if the session is over
  Failure serve(int number, Connection connection, Link link);

  /// To be called after [#serve], and if a connection that had joined never came up. If it was the
  /// last one this waits for another, until the session is over; the last caller closes the
  /// session.
  void leave();

  /// Tells the user.
  void note(String message);

  /// For how long nothing was done for the peer.
  default long idleNs() {
    return connections().idleNs();
  }

  /// Ends the session for another one, and does not wait for the peer to hear of it.
  ///
  /// @return whether it was not over before
  boolean giveWay();

  /// Ends the session by this failure, unless it is over; the peer is told if there is a
  /// connection.
  void fail(Failure cause);

  /// As [#fail], but the peer is not told: it has lost the session itself.
  void lose(Failure cause);

  /// As [#fail]: the listener knows nothing of the session any more, so that another one may do.
  void forget(Failure cause);

  /// How many connections there may be at a time; 1 until the peer has said so.
  int connectionsMax();

  /// Whether that is known, and [#bytesAll] if it will ever be.
  boolean isAgreed();

  /// How many bytes have arrived, as far as this end knows.
  long bytesDone();

  /// How many there are in all; -1 if that is not known.
  long bytesAll();

  /// Something that grows whenever the session gets on.
  long progress();

  /// What of the session is kept if it ends now, and what to do, as a phrase; empty if the session
  /// tells that itself.
  String whatIsKept();
}

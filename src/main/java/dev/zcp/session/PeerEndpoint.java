package dev.zcp.session;

import dev.zcp.core.Address;
import dev.zcp.wire.Limits;

/// How an end gets its connections. It says nothing of which end gives the files.
public sealed interface PeerEndpoint {

  Address address();

  /// It makes them.
  ///
  /// @param connections how many, or [#CONNECTIONS_AUTO]
  /// @param retries how often in a row, and without progress between, it connects anew
  record Dial(Address address, int connections, int retries) implements PeerEndpoint {

    /// As many as pay.
    public static final int CONNECTIONS_AUTO = 0;

    /// As many at most, if nobody said how many.
    public static final int CONNECTIONS_AUTO_MAX = 8;

    public static final int CONNECTIONS_MAX = Limits.CONNECTIONS_MAX;

    public static final int RETRIES_USUAL = 5;

    public static Dial usual(Address address) {
      return new Dial(address, CONNECTIONS_AUTO, RETRIES_USUAL);
    }
  }

  /// It takes them.
  ///
  /// @param address port 0 takes a free one
  /// @param once whether to end after one transfer, with its exit code
  record Listen(Address address, boolean once) implements PeerEndpoint {}

  /// It was started by the other end. If the pipe to that is a connection, the session ends with
  /// it.
  record Served(Address address, ServedPipe pipe) implements PeerEndpoint {}

  /// How long a session may be without a connection before it ends.
  default long patienceNs(Flow flow) {
    return this instanceof Served served && served.pipe().isConnection()
        ? 0
        : flow.stallTimeoutNs();
  }
}

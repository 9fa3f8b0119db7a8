package dev.zcp.session;

/// How a session uses its connections.
///
/// @param rateBytes bytes a second that this end moves at most, over all connections; 0 for no
///   limit
/// @param connectTimeoutNs how long a sender waits for a connection
/// @param stallTimeoutNs how long the peer may make no progress
/// @param socketBufferBytes the SO_SNDBUF or SO_RCVBUF to ask the kernel for, or 0 for its own
///   tuning
/// @param congestion the TCP congestion control to ask the kernel for, or null for its own choice
public record Flow(
    long rateBytes,
    long connectTimeoutNs,
    long stallTimeoutNs,
    int socketBufferBytes,
    String congestion) {

  /// Without a limit of the rate, and with the kernel's own choices.
  public static Flow of(long connectTimeoutNs, long stallTimeoutNs) {
    return new Flow(0, connectTimeoutNs, stallTimeoutNs, 0, null);
  }
}

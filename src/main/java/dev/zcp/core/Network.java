package dev.zcp.core;

/// What tcp(7) tells of the connections that a sender sent over, together. Times are in
/// nanoseconds.
///
/// @param connections how many there were between two machines; 0 if there was no network
/// @param busyNs the most that one of them had something under way
/// @param windowNs how long of that the receiver had no room
/// @param bufferNs how long of that the buffer of this end was too small
/// @param roundTripNs the longest round trip, smoothed
/// @param leastRoundTripNs the shortest that the connection with the longest has seen; 0 if that is
///   not known
/// @param repeated segments that were sent again
public record Network(
    int connections,
    long busyNs,
    long windowNs,
    long bufferNs,
    long roundTripNs,
    long leastRoundTripNs,
    long repeated) {

  public static final Network NONE = new Network(0, 0, 0, 0, 0, 0, 0);

  /// @throws IllegalArgumentException if a number is negative
  public Network {
    if ((connections | busyNs | windowNs | bufferNs | roundTripNs | leastRoundTripNs | repeated)
        < 0) {
      throw new IllegalArgumentException("a negative number of a network");
    }
  }

  /// Both together: of times that of the busier one.
  public Network plus(Network more) {
    Network busier = more.busyNs > busyNs ? more : this;
    Network farther = more.roundTripNs > roundTripNs ? more : this;
    return new Network(
        connections + more.connections,
        busier.busyNs,
        busier.windowNs,
        busier.bufferNs,
        farther.roundTripNs,
        farther.leastRoundTripNs,
        repeated + more.repeated);
  }
}

package dev.zcp.linux;

import java.nio.channels.SocketChannel;

/// What the kernel has counted of a TCP connection: `struct tcp_info`, tcp(7).
///
/// @param roundTripUs smoothed
/// @param leastRoundTripUs the shortest one; 0 before Linux 4.9
/// @param repeated segments that were sent again
/// @param busyUs how long something was under way
/// @param windowUs how long of that the receiver had no room
/// @param bufferUs how long of that the send buffer was too small
public record TcpInfo(
    long roundTripUs,
    long leastRoundTripUs,
    long repeated,
    long busyUs,
    long windowUs,
    long bufferUs) {

  private static final int IPPROTO_TCP = 6;

  // include/uapi/linux/tcp.h
  private static final int TCP_INFO = 11;
  private static final int ROUND_TRIP_AT = 68;
  private static final int REPEATED_AT = 100;
  private static final int LEAST_ROUND_TRIP_AT = 148;
  private static final int BUSY_AT = 168;
  private static final int WINDOW_AT = 176;
  private static final int BUFFER_AT = 184;
  private static final int BYTES = 192;

  private static final long UNSIGNED_INT = 0xffff_ffffL;

  private static final long GETSOCKOPT = Native.find("getsockopt");

  /// Of `socket`; null if the kernel does not tell.
  public static TcpInfo of(SocketChannel socket) {
    int descriptor = ChannelEnd.descriptorOf(socket);
    if (descriptor == ChannelEnd.NONE || Libc.obstacle().isPresent()) {
      return null;
    }
    Scratch scratch = Scratch.mine();
    scratch.struct(new long[BYTES / Long.BYTES]);
    // An older kernel fills less, and leaves zeros.
    if (get(descriptor, scratch.struct(), scratch.source(BYTES)) < 0) {
      return null;
    }
    return new TcpInfo(
        scratch.structInt(ROUND_TRIP_AT) & UNSIGNED_INT,
        scratch.structInt(LEAST_ROUND_TRIP_AT) & UNSIGNED_INT,
        scratch.structInt(REPEATED_AT) & UNSIGNED_INT,
        scratch.structLong(BUSY_AT),
        scratch.structLong(WINDOW_AT),
        scratch.structLong(BUFFER_AT));
  }

  /// `int getsockopt(int sockfd, IPPROTO_TCP, TCP_INFO, struct tcp_info *optval, socklen_t
  /// *optlen)`
  private static int get(int socket, long info, long length) {
    return Libc.intCall(GETSOCKOPT, socket, IPPROTO_TCP, TCP_INFO, info, length);
  }
}

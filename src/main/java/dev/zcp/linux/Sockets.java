package dev.zcp.linux;

/// The options of sockets that Java has no name for. As in [Libc], a method gives what the call
/// returned or minus the [error number][Errno].
public final class Sockets {

  private static final int IPPROTO_TCP = 6;

  // include/uapi/linux/tcp.h
  private static final int TCP_CONGESTION = 13;

  private Sockets() {}

  /// `int setsockopt(int sockfd, IPPROTO_TCP, TCP_CONGESTION, const void *optval, socklen_t
  /// optlen)`: tcp(7)
  ///
  /// @return `-ENOENT` where the kernel has no algorithm of this name, `-EPERM` where this user may
  ///   not have it
  public static int setCongestion(int socket, byte[] name) {
    long value = Scratch.mine().path(name);
    return value == 0
        ? -Errno.ENAMETOOLONG
        : (int)
            Libc.intCall(Bound.SETSOCKOPT, socket, IPPROTO_TCP, TCP_CONGESTION, value, name.length);
  }

  /// The address: looked up by the first call.
  private static final class Bound {
    static final long SETSOCKOPT = Libc.function("setsockopt");

    private Bound() {}
  }
}

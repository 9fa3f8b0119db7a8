package dev.zcp.linux;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How the kernel reacts to a network that is full: the TCP congestion control of a socket, tcp(7).
/// Java has no name for this option.
public final class Congestion {

  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  private static final int IPPROTO_TCP = 6;

  // include/uapi/linux/tcp.h
  private static final int TCP_CONGESTION = 13;

  private static final long SETSOCKOPT = Native.find("setsockopt");

  private Congestion() {}

  /// The names of the algorithms that are loaded in this kernel.
  ///
  /// @throws IOException if /proc does not tell
  public static List<String> available() throws IOException {
    return List.of(Files.readString(AVAILABLE, StandardCharsets.US_ASCII).strip().split("\\s+"));
  }

  /// Makes `socket` use the algorithm of this name.
  ///
  /// @throws IOException if the kernel has none of this name, or this user may not use it
  public static void use(SocketChannel socket, String name) throws IOException {
    int descriptor = ChannelEnd.descriptorOf(socket);
    if (descriptor == ChannelEnd.NONE || Libc.obstacle().isPresent()) {
      throw new IOException(
          "it takes a system call: " + Libc.obstacle().orElse("the socket's number is not known"));
    }
    Errno.require(set(descriptor, name.getBytes(StandardCharsets.US_ASCII)));
  }

  /// `int setsockopt(int sockfd, IPPROTO_TCP, TCP_CONGESTION, const void *optval, socklen_t
  /// optlen)`
  ///
  /// @return `-ENOENT` if the kernel has no algorithm of this name, `-EPERM` if this user may not
  ///   use it
  private static int set(int socket, byte[] name) {
    long value = Scratch.mine().path(name);
    return Libc.intCall(SETSOCKOPT, socket, IPPROTO_TCP, TCP_CONGESTION, value, name.length);
  }
}

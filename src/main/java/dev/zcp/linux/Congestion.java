package dev.zcp.linux;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How the kernel reacts to a network that is full: the TCP congestion control of a socket, tcp(7).
public final class Congestion {

  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  private Congestion() {}

  /// The names of those that this kernel has, loaded.
  ///
  /// @throws IOException where /proc does not tell
  public static List<String> available() throws IOException {
    return List.of(Files.readString(AVAILABLE, StandardCharsets.US_ASCII).strip().split("\\s+"));
  }

  /// Has `socket` use the one of this name.
  ///
  /// @throws IOException where the kernel has none such, or this user may not have it
  public static void use(SocketChannel socket, String name) throws IOException {
    int descriptor = Descriptors.of(socket);
    if (descriptor == Descriptors.NONE || Libc.obstacle().isPresent()) {
      throw new IOException(
          "it takes a system call: " + Libc.obstacle().orElse("the socket's number is not known"));
    }
    int result = Sockets.setCongestion(descriptor, name.getBytes(StandardCharsets.US_ASCII));
    if (result < 0) {
      throw Errno.failure(-result);
    }
  }
}

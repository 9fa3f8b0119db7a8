package dev.zcp.session.link;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;

/// Finds the way to a receiver and opens the connection.
public final class Dial {

  private Dial() {}

  /// The addresses that a host's name stands for, in the resolver's order; at least one.
  public static InetAddress[] resolve(Address address) throws Failure {
    try {
      return InetAddress.getAllByName(address.host());
    } catch (UnknownHostException e) {
      throw Failure.of(ExitCode.NETWORK, address.toString(), "no such host").because(e);
    }
  }

  /// Whether all of `addresses` are this machine's own.
  public static boolean isLoopback(InetAddress[] addresses) {
    for (InetAddress address : addresses) {
      if (!address.isLoopbackAddress()) {
        return false;
      }
    }
    return true;
  }

  /// Connects to the first of `addresses` that answers.
  ///
  /// @param timeoutNs how long to wait in all
  /// @param bufferBytes the send buffer to ask the kernel for, or 0 for its own tuning
  public static SocketChannel connect(
      Address address, InetAddress[] addresses, long timeoutNs, int bufferBytes) throws Failure {
    long deadlineNs = System.nanoTime() + timeoutNs;
    IOException last = new SocketTimeoutException("timed out");
    for (InetAddress ip : addresses) {
      long leftNs = deadlineNs - System.nanoTime();
      if (leftNs <= 0) {
        break;
      }
      try {
        return connect(new InetSocketAddress(ip, address.port()), leftNs, bufferBytes);
      } catch (IOException e) {
        last = e;
      }
    }
    throw failure(address, last);
  }

  private static SocketChannel connect(InetSocketAddress to, long timeoutNs, int bufferBytes)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      DataBuffer.SENDING.ask(channel, bufferBytes);
      int timeoutMs = Math.clamp(timeoutNs / 1_000_000, 1, Integer.MAX_VALUE);
      channel.socket().connect(to, timeoutMs);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static Failure failure(Address address, IOException e) {
    String subject = address.toString();
    return switch (e) {
      case SocketTimeoutException _ ->
          Failure.of(ExitCode.NETWORK, subject, "no answer")
              .with("is the host up, and does a firewall let port " + address.port() + " through?")
              .because(e);
      case ConnectException _ when String.valueOf(e.getMessage()).contains("refused") ->
          Failure.of(ExitCode.NETWORK, subject, "nobody listens there")
              .with("start zcp receive on that side first")
              .because(e);
      default -> Failure.of(ExitCode.NETWORK, subject, Reasons.of(e)).because(e);
    };
  }
}

package dev.zcp.carrier;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;

/// Connects to one receiver by TCP.
///
/// @param address as the user named it
/// @param addresses what that stands for
/// @param timeoutNs how long to wait for an answer, in all
/// @param bufferBytes how large a `buffer` to ask the kernel for, or 0 for its own tuning
/// @param congestion the algorithm that was asked for; null if none was
/// @param encrypted whether to speak TLS
public record SocketDialler(
    Address address,
    InetAddress[] addresses,
    long timeoutNs,
    DataBuffer buffer,
    int bufferBytes,
    String congestion,
    boolean encrypted)
    implements Dialler {

  /// The addresses that a host's name stands for, in the resolver's order; at least one.
  public static InetAddress[] resolve(Address address) throws Failure {
    try {
      return InetAddress.getAllByName(address.host());
    } catch (UnknownHostException e) {
      throw Failure.of(ExitCode.NETWORK, address, "no such host").because(e);
    }
  }

  public static boolean isLoopback(InetAddress[] addresses) {
    for (InetAddress address : addresses) {
      if (!address.isLoopbackAddress()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Carrier dial() throws Failure {
    long deadlineNs = System.nanoTime() + timeoutNs;
    IOException last = new SocketTimeoutException("timed out");
    for (InetAddress ip : addresses) {
      long leftNs = deadlineNs - System.nanoTime();
      if (leftNs <= 0) {
        break;
      }
      try {
        return dial(new InetSocketAddress(ip, address.port()), leftNs);
      } catch (IOException e) {
        last = e;
      }
    }
    throw failure(address, last);
  }

  @Override
  public InetAddress host() {
    return addresses[0];
  }

  @Override
  public boolean isLocal() {
    return isLoopback(addresses);
  }

  private Carrier dial(InetSocketAddress to, long leftNs) throws IOException, Failure {
    SocketChannel channel = SocketChannel.open();
    try {
      buffer.ask(channel, bufferBytes);
      int timeoutMs = Math.clamp(leftNs / 1_000_000, 1, Integer.MAX_VALUE);
      channel.socket().connect(to, timeoutMs);
      CongestionControl.ask(channel, congestion);
      Carrier carrier = new SocketCarrier(channel, buffer, bufferBytes);
      return encrypted ? new TlsCarrier(carrier, false) : carrier;
    } catch (IOException | Failure e) {
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
              .with("start the other end first: zcp receive, or zcp send --listen")
              .because(e);
      default -> Failure.of(ExitCode.NETWORK, subject, Reasons.of(e)).because(e);
    };
  }
}

package dev.zcp.session;

import dev.zcp.core.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;

/// The addresses by which other machines may reach this one.
public final class OwnAddress {

  /// An address that is kept for documents (RFC 5737), so it is nowhere near.
  private static final String ELSEWHERE = "192.0.2.1";

  /// Addresses of private networks of IPv6: fc00::/7, RFC 4193.
  private static final int PRIVATE_IPV6 = 0xfc;

  private static final int PRIVATE_MASK = 0xfe;

  private OwnAddress() {}

  /// What a peer may call the end that listens at `bound`.
  ///
  /// @param asked what the user called it
  public static List<String> hosts(InetAddress bound, Address asked) throws SocketException {
    return bound.isAnyLocalAddress() ? allFor(bound) : List.of(asked.host());
  }

  /// Their texts, or that of a loopback address if there are none.
  ///
  /// @param bound what the listening end is bound to: one of IPv4 is not reached by IPv6
  private static List<String> allFor(InetAddress bound) throws SocketException {
    List<InetAddress> all = new ArrayList<>();
    Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
    while (interfaces.hasMoreElements()) {
      NetworkInterface next = interfaces.nextElement();
      if (next.isUp()) {
        for (InterfaceAddress each : next.getInterfaceAddresses()) {
          all.add(each.getAddress());
        }
      }
    }
    return allFor(bound, all, outward());
  }

  /// Those that can be reached come first: the one by which this machine reaches others, then those
  /// of IPv4, then public ones of IPv6, which need a network that has it at both ends.
  ///
  /// @param outward the address by which this machine reaches others; null if that is not known
  static List<String> allFor(InetAddress bound, List<InetAddress> all, InetAddress outward) {
    List<InetAddress> reachable = new ArrayList<>();
    for (InetAddress each : all) {
      boolean fits = bound instanceof Inet6Address || each instanceof Inet4Address;
      if (fits && !each.isLoopbackAddress() && !each.isLinkLocalAddress()) {
        reachable.add(each);
      }
    }
    reachable.sort(Comparator.comparingInt(each -> rank(each, outward)));
    return reachable.isEmpty()
        ? List.of(text(InetAddress.getLoopbackAddress()))
        : reachable.stream().map(OwnAddress::text).toList();
  }

  private static int rank(InetAddress each, InetAddress outward) {
    if (each instanceof Inet4Address) {
      return each.equals(outward) ? 0 : 1;
    }
    boolean isPrivate = (each.getAddress()[0] & PRIVATE_MASK) == PRIVATE_IPV6;
    return isPrivate ? 3 : 2;
  }

  /// The kernel looks for the way when a socket for datagrams is connected, and sends nothing.
  private static InetAddress outward() {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(ELSEWHERE), 1));
      return socket.getLocalAddress();
    } catch (IOException | UncheckedIOException e) {
      // There is no way out: then no address comes before the others.
      return null;
    }
  }

  /// As people read it: `fd00::2`. Java adds `%eth0`, which means something on this machine alone
  /// (RFC 4007, section 6), and leaves out no zeros (RFC 5952, section 4.2).
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int percent = text.indexOf('%');
    String whole = percent < 0 ? text : text.substring(0, percent);
    if (address instanceof Inet4Address) {
      return whole;
    }
    for (int zeros = 8; zeros > 1; zeros--) {
      String run = ":0".repeat(zeros) + ":";
      String framed = ":" + whole + ":";
      int start = framed.indexOf(run);
      if (start >= 0) {
        String before = framed.substring(Math.min(1, start), start);
        String after = framed.substring(start + run.length());
        return before + "::" + (after.isEmpty() ? "" : after.substring(0, after.length() - 1));
      }
    }
    return whole;
  }
}

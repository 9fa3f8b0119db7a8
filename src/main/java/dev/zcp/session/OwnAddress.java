package dev.zcp.session;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/// The address that a receiver on all of this machine's addresses shows to senders elsewhere.
final class OwnAddress {

  private OwnAddress() {}

  /// The text of an address by which other machines may reach this one, or of a loopback address
  /// where there is none.
  ///
  /// @param bound what the receiver is bound to: of several addresses, one of its family is shown
  static String seenFor(InetAddress bound) throws SocketException {
    List<InetAddress> all = new ArrayList<>();
    Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
    while (interfaces.hasMoreElements()) {
      for (InterfaceAddress each : interfaces.nextElement().getInterfaceAddresses()) {
        all.add(each.getAddress());
      }
    }
    return seenFor(bound, all);
  }

  static String seenFor(InetAddress bound, List<InetAddress> all) {
    InetAddress best = null;
    for (InetAddress each : all) {
      boolean reachable = !each.isLoopbackAddress() && !each.isLinkLocalAddress();
      if (reachable && (best == null || isBetter(each, best, bound))) {
        best = each;
      }
    }
    return withoutZone((best == null ? InetAddress.getLoopbackAddress() : best).getHostAddress());
  }

  private static boolean isBetter(InetAddress each, InetAddress best, InetAddress bound) {
    return each.getClass() == bound.getClass() && best.getClass() != bound.getClass();
  }

  /// Java adds `%eth0`, which means something on this machine alone: RFC 4007, section 6.
  private static String withoutZone(String address) {
    int percent = address.indexOf('%');
    return percent < 0 ? address : address.substring(0, percent);
  }
}

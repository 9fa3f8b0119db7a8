package dev.zcp.session;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;

/// The addresses by which other machines may reach this one.
public final class OwnAddress {

  private OwnAddress() {}

  /// Their texts, or that of a loopback address if there are none.
  ///
  /// @param bound what the listening end is bound to: addresses of its family come first
  public static List<String> allFor(InetAddress bound) throws SocketException {
    List<InetAddress> all = new ArrayList<>();
    Enumeration<NetworkInterface> interfaces = NetworkInterface.getNetworkInterfaces();
    while (interfaces.hasMoreElements()) {
      for (InterfaceAddress each : interfaces.nextElement().getInterfaceAddresses()) {
        all.add(each.getAddress());
      }
    }
    return allFor(bound, all);
  }

  static List<String> allFor(InetAddress bound, List<InetAddress> all) {
    List<String> family = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (InetAddress each : all) {
      if (!each.isLoopbackAddress() && !each.isLinkLocalAddress()) {
        (each.getClass() == bound.getClass() ? family : others).add(text(each));
      }
    }
    family.addAll(others);
    return family.isEmpty() ? List.of(text(InetAddress.getLoopbackAddress())) : family;
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

package dev.zcp.profile;

import java.net.InetAddress;

/// What a host is called in a profile.
public final class Hosts {

  /// The addresses that every machine has for itself: one way.
  public static final String LOOPBACK = "loopback";

  private Hosts() {}

  /// The address in figures, without the zone of a link (RFC 4007), which names an interface of
  /// this machine; [#LOOPBACK] for those.
  public static String keyOf(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return LOOPBACK;
    }
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}

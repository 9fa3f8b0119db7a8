package dev.zcp.profile;

import dev.zcp.profile.Mounts.Mount;
import java.net.InetAddress;

/// Where a profile's figures hold: what they were measured between.
public sealed interface RouteKey {

  /// From a file of one mounted file system to a file of another, or of the same.
  record Copy(Mount from, Mount to) implements RouteKey {

    @Override
    public boolean isSamePlaceAs(RouteKey other) {
      return other instanceof Copy copy
          && from.point().equals(copy.from.point())
          && to.point().equals(copy.to.point());
    }

    @Override
    public String toString() {
      return "from " + from + " to " + to;
    }
  }

  /// From a file to a receiver.
  ///
  /// @param host the receiver's address as a number, by [#to], the first if a name has several: the
  ///   name that was typed may be one of many. The port is no part of it, since any of a host is as
  ///   far away
  record Send(String host) implements RouteKey {

    /// What all addresses that every machine has for itself are called: they are one route.
    private static final String LOOPBACK = "loopback";

    /// The route to a receiver at `address`. The zone of a link (RFC 4007) is left out, since it
    /// names an interface of this machine.
    public static Send to(InetAddress address) {
      String text = address.getHostAddress();
      int zone = text.indexOf('%');
      return new Send(
          address.isLoopbackAddress() ? LOOPBACK : zone < 0 ? text : text.substring(0, zone));
    }

    public boolean isLoopback() {
      return host.equals(LOOPBACK);
    }

    @Override
    public boolean isSamePlaceAs(RouteKey other) {
      return other instanceof Send send && host.equals(send.host);
    }

    @Override
    public String toString() {
      return "to " + host;
    }
  }

  /// Whether both are the same as far as a user can point at them. What is mounted there may
  /// differ, and the figures of the one are then stale for the other.
  boolean isSamePlaceAs(RouteKey other);

  /// Null of a copy.
  default String host() {
    return null;
  }

  /// Null of what is sent.
  default Mount from() {
    return null;
  }

  /// As [#from].
  default Mount to() {
    return null;
  }
}

package dev.zcp.profile;

import dev.zcp.profile.Mounts.Mount;

/// Where a profile's figures hold: what they were measured between.
public sealed interface Way {

  /// From a file of one mounted file system to a file of another, or of the same.
  record Copy(Mount from, Mount to) implements Way {

    @Override
    public boolean isSamePlaceAs(Way other) {
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
  /// @param host the receiver's address as a number, by [Hosts#keyOf], the first if a name has
  ///   several: the name that was typed may be one of many. The port is no part of it, since any of
  ///   a host is as far away
  record Send(String host) implements Way {

    @Override
    public boolean isSamePlaceAs(Way other) {
      return other instanceof Send send && host.equals(send.host);
    }

    @Override
    public String toString() {
      return "to " + host;
    }
  }

  /// Whether both are the same as far as a user can point at them. What is mounted there may
  /// differ, and the figures of the one are then stale for the other.
  boolean isSamePlaceAs(Way other);
}

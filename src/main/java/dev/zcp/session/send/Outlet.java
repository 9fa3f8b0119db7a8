package dev.zcp.session.send;

/// What a walk of the sources gives its entries to.
interface Outlet {

  /// What the receiver keeps: bits of [dev.zcp.wire.Keep]. Waits until that is known; asked only
  /// where something is to be kept besides bytes, modes and times.
  ///
  /// @return 0 where the session is over
  int keeps();

  /// Offers an entry, by [Outgoing#offered] with the next id, once there is room for it. Called by
  /// the thread that walks, and by no other.
  ///
  /// @return false where the session is over, and the entry was not offered
  boolean offer(Outgoing entry);

  /// Everything in a directory is over: it may be ended. That may be said before the receiver has
  /// answered for it, by any thread that calls [Outgoing#over], and by the one that walks.
  void ended(Outgoing directory);
}

package dev.zcp.session.send;

import dev.zcp.core.Failure;

/// Where a walk puts what it finds: the session that offers it to the receiver.
///
/// Any thread may call it. A directory must be put before anything that is in it.
interface OutgoingSink {

  /// Offers an entry; waits while too many are under way.
  ///
  /// @throws Failure where the session is over, so that there is no use in walking on
  void put(Outgoing entry) throws Failure;

  /// All that is in this directory is over: it can be completed. Called once for each directory
  /// that the receiver takes, whether all was well in it or not; never waits.
  void directoryOver(long fileId);
}

package dev.zcp.walk;

import dev.zcp.tree.Listing;

/// What one thread of a [WorkerPool] has for itself.
public final class Worker {

  /// The batch that the thread is at, which others may join; null where it is at none.
  volatile EntryBatch current;

  private Listing listing;

  /// Made when it is first needed: only few threads of a small tree read a directory.
  Listing listing() {
    if (listing == null) {
      listing = new Listing();
    }
    return listing;
  }
}

package dev.zcp.copy;

import dev.zcp.insight.Insight;
import dev.zcp.tree.Durability;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Preserver;
import dev.zcp.walk.WorkerPool;

/// What the parts of one copy share.
///
/// @param request what was asked for
/// @param errors hears of what failed
/// @param overwriting decides about targets that exist
/// @param partials what is made and not published yet
/// @param preserver sets metadata
/// @param losses what of it targets could not keep
/// @param durability forces to the device, if that was asked for
/// @param publishing publishes files
record CopyContext(
    CopyRequest request,
    CopyErrors errors,
    OverwritePolicy overwriting,
    Partials partials,
    Preserver preserver,
    Losses losses,
    Durability durability,
    Durability.PublicationQueue publishing) {

  Insight insight() {
    return errors.insight();
  }

  /// Works until nothing is left to do, and publishes what waits.
  void finish(WorkerPool workers) {
    do {
      workers.run();
      // What was published now may be what other names wait for.
    } while (publishing.flush() || workers.hasWork());
  }
}

package dev.zcp.copy;

import dev.zcp.insight.Insight;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Preserver;

/// What the parts of one copy share.
///
/// @param request what was asked for
/// @param errors hears of what failed
/// @param overwriting decides about targets that exist
/// @param partials what is made and not published yet
/// @param preserver sets metadata
/// @param losses what of it targets could not keep
/// @param durability publishes, and forces to the device if that was asked for
record CopyContext(
    CopyRequest request,
    CopyErrors errors,
    OverwritePolicy overwriting,
    Partials partials,
    Preserver preserver,
    Losses losses,
    Durability durability) {

  Insight insight() {
    return errors.insight();
  }
}

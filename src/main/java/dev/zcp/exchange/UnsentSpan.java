package dev.zcp.exchange;

import dev.zcp.core.Span;

/// Bytes of a file that are still to be sent.
///
/// @param isHole whether the source keeps no room for them
/// @param wasSent whether they went out before, as this very span: a receiver that has them already
///   must be able to tell, so they go out again neither cut nor joined
/// @param tries how often they arrived damaged
record UnsentSpan(Span span, boolean isHole, boolean wasSent, int tries) {

  static UnsentSpan fresh(Span span, boolean isHole) {
    return new UnsentSpan(span, isHole, false, 0);
  }

  UnsentSpan again() {
    return new UnsentSpan(span, isHole, true, tries);
  }

  UnsentSpan afterDamage() {
    return new UnsentSpan(span, isHole, true, tries + 1);
  }
}

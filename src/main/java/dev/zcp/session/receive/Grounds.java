package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.insight.Insight;

/// Where sessions get their places.
@FunctionalInterface
interface Grounds {

  /// The place of one more session.
  ///
  /// @throws Failure where there is none
  Place begin(ReceivingSession session, Insight insight) throws Failure;
}

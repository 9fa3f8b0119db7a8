package dev.zcp.session.receive;

import dev.zcp.core.Failure;

/// Where sessions get their places.
@FunctionalInterface
interface PlaceFactory {

  /// The place of one more session.
  ///
  /// @throws Failure if there is none
  Place begin(ReceivingSession session) throws Failure;
}

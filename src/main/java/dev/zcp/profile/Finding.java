package dev.zcp.profile;

/// What a profile says of a way.
public sealed interface Finding {

  /// These figures hold.
  record Current(TunedWay tuned) implements Finding {}

  /// There are figures, and they hold no longer.
  ///
  /// @param reason a phrase that a user can read
  record Stale(TunedWay tuned, String reason) implements Finding {}

  /// There is a file, and it cannot be used.
  ///
  /// @param reason a phrase that a user can read
  record Unusable(String reason) implements Finding {}

  /// Nobody measured here.
  record Nothing() implements Finding {}
}

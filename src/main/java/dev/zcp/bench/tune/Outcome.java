package dev.zcp.bench.tune;

/// What became of one trial.
sealed interface Outcome {

  /// Every byte arrived, and the right ones.
  ///
  /// @param elapsedNs from the first step until the file was complete
  record Took(long elapsedNs) implements Outcome {}

  /// This way cannot be gone here; no fault of anybody.
  ///
  /// @param reason a phrase a user can read
  record Refused(String reason) implements Outcome {}
}

package dev.zcp.bench.tune;

import dev.zcp.bench.result.Summary;

/// What was found of one way.
public sealed interface Trialled {

  /// The name of a strategy.
  String strategy();

  /// The chunk it was given; 0 is its own.
  long chunkBytes();

  /// It was tried, and every run put the right bytes where they belong.
  ///
  /// @param firstNs the very first run, which does not count
  /// @param ns of the runs that count, in nanoseconds
  record Measured(String strategy, long chunkBytes, long firstNs, Summary ns, int runs)
      implements Trialled {}

  /// It cannot be gone here.
  ///
  /// @param reason a phrase a user can read
  record Refused(String strategy, long chunkBytes, String reason) implements Trialled {}
}

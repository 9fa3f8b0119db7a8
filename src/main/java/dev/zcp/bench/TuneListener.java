package dev.zcp.bench;

/// Hears how the tuning gets on, never while a clock runs.
@FunctionalInterface
public interface TuneListener {

  /// A race begins.
  ///
  /// @param what it is for, a phrase
  /// @param ways how many ways take part
  /// @param runs how many runs each of them has
  void begins(String what, int ways, int runs);

  /// A trial is about to run.
  ///
  /// @param way a strategy, with its chunk if it is not its own
  /// @param done how many trials of this race are over
  /// @param most how many there are at most: what cannot win is left out later
  default void running(String way, int done, int most) {}
}

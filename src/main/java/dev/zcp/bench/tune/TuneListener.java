package dev.zcp.bench.tune;

/// Hears how the tuning gets on, never while a clock runs.
@FunctionalInterface
public interface TuneListener {

  /// A round of trials begins.
  ///
  /// @param what it is for, a phrase
  /// @param ways how many ways take part
  /// @param runs how many runs each of them has
  void begins(String what, int ways, int runs);
}

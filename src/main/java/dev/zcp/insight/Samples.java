package dev.zcp.insight;

/// Books how long operations took. Any thread may call it.
@FunctionalInterface
public interface Samples {

  /// Books one operation, which must have been timed by itself: no share of a longer one, and no
  /// average. A negative time counts as 0.
  void sample(Stage stage, long elapsedNs);
}

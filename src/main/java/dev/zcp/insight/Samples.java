package dev.zcp.insight;

/// Books how long operations took. Any thread may call it.
@FunctionalInterface
public interface Samples {

  /// Books one operation, which must have been timed by itself: no share of a longer one, and no
  /// average. A negative time counts as 0.
  void sample(Stage stage, long elapsedNs);

  /// So many more of the bytes that were moved are known to be on the device. If this is called at
  /// all, it must be called with 0 before the first file: the share is shown from the start.
  default void durable(long bytes) {
    // Most work is on no device.
  }
}

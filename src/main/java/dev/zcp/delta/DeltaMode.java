package dev.zcp.delta;

/// Whether only what differs is sent of a file of which the receiver has another version.
public enum DeltaMode {
  /// If the network is slower than both ends can look for what differs.
  AUTO,
  ALWAYS,
  NEVER
}

package dev.zcp.bench.run;

/// What a run is for.
enum Purpose {
  /// Its time. Some bytes are looked at.
  TIME,
  /// A look at every byte.
  LOOK,
  /// The number of its system calls. To count them slows them down, so nobody counts while it is
  /// the time that matters.
  COUNT
}

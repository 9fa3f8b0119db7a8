package dev.zcp.bench.run;

import dev.zcp.engine.Observer;

/// An observer that must be told of every call, and wants the time of some only.
interface SamplingObserver extends Observer {

  /// Whether the time of the next call is wanted; where it is not, 0 will do and no clock need be
  /// read.
  ///
  /// @param bytesMax the most that this call may move
  boolean wantsTimeOf(long bytesMax);
}

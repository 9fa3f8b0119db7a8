package dev.zcp.wire;

import java.time.Instant;

/// A time of a file.
///
/// @param seconds since 1970, within what [Instant] holds
/// @param nanos 0 to 999,999,999
public record Timestamp(long seconds, int nanos) {

  private static final int NANOS_MAX = 999_999_999;

  public Timestamp {
    require(seconds, nanos);
  }

  /// @throws IllegalArgumentException with the reason, if they are no such time
  static void require(long seconds, int nanos) {
    if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
      throw new IllegalArgumentException("a time of " + seconds + " seconds");
    }
    if (nanos < 0 || nanos > NANOS_MAX) {
      throw new IllegalArgumentException("a time of " + nanos + " nanoseconds");
    }
  }
}

package dev.zcp.report;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/// A point of time, as ISO 8601 has it.
final class Moment {

  private static final long MS_PER_SECOND = 1000;
  private static final int NS_PER_MS = 1_000_000;

  private Moment() {}

  /// `2026-11-23T21:15:03.250Z`. Not by Instant, which would load a formatter.
  static String of(long epochMs) {
    int ms = (int) Math.floorMod(epochMs, MS_PER_SECOND);
    long seconds = Math.floorDiv(epochMs, MS_PER_SECOND);
    return LocalDateTime.ofEpochSecond(seconds, ms * NS_PER_MS, ZoneOffset.UTC) + "Z";
  }
}

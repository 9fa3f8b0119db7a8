package dev.zcp.profile;

/// What the runs of one strategy with one chunk took.
///
/// @param strategy its name
/// @param chunkBytes the chunk it was given; 0 where it was left its own
/// @param medianNsPerMiB the time of the middle run, in nanoseconds for each MiB
/// @param lowerQuartileNsPerMiB a quarter of the runs took no longer
/// @param upperQuartileNsPerMiB three quarters of the runs took no longer
/// @param runs how many there were
public record Measured(
    String strategy,
    long chunkBytes,
    long medianNsPerMiB,
    long lowerQuartileNsPerMiB,
    long upperQuartileNsPerMiB,
    int runs) {

  /// Whether the difference between this and `other` may be chance: their middle halves overlap.
  public boolean isWithinNoiseOf(Measured other) {
    return lowerQuartileNsPerMiB <= other.upperQuartileNsPerMiB
        && other.lowerQuartileNsPerMiB <= upperQuartileNsPerMiB;
  }
}

package dev.zcp.engine;

/// What was measured of strategies on one route: figures in place of the estimates by which `auto`
/// compares strategies everywhere.
///
/// It knows neither how nor where they were measured, and nothing of start-up: what a strategy pays
/// before its first byte stays the strategy's own to say, so that small files go by the cheap path
/// on a tuned route, too.
@FunctionalInterface
public interface Tuning {

  /// Nothing was measured.
  Tuning NONE = strategy -> null;

  /// The figure of the strategy of this name, or null if it was not measured.
  Figure figureOf(String strategy);

  /// @param nsPerMiB what each MiB takes, in nanoseconds
  /// @param chunkBytes the most that one step should move; [Choice#ADAPTIVE] is what the strategy
  ///   itself finds best
  record Figure(long nsPerMiB, long chunkBytes) {
    public Figure {
      if (nsPerMiB < 0 || chunkBytes < 0) {
        throw new IllegalArgumentException(nsPerMiB + " ns, a chunk of " + chunkBytes);
      }
    }
  }
}

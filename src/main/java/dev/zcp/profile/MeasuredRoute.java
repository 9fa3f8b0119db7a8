package dev.zcp.profile;

import dev.zcp.engine.Engine.Tuning;
import java.util.List;

/// What was found on one route.
///
/// @param kernel the release of the kernel that ran, as [Profile#kernel] says it
/// @param date the day, as ISO 8601 has it
/// @param zcpVersion of the zcp that measured
/// @param fileBytes the size of the file that was moved
/// @param better whether something beat what `auto` takes by itself by more than chance; else
///   `auto` stays with that, and the figures are for people
/// @param figures of every strategy that ran, some with several chunks
public record MeasuredRoute(
    RouteKey routeKey,
    String kernel,
    String date,
    String zcpVersion,
    long fileBytes,
    boolean better,
    List<Measured> figures)
    implements Tuning {

  public MeasuredRoute {
    figures = List.copyOf(figures);
  }

  /// By what `auto` is to go here.
  public Tuning tuning() {
    return better ? this : Tuning.NONE;
  }

  @Override
  public Tuning.Figure figureOf(String strategy) {
    Measured best = bestOf(strategy);
    return best == null ? null : new Tuning.Figure(best.medianNsPerMiB(), best.chunkBytes());
  }

  /// The figures of a strategy with its best chunk: its own if no other is faster by more than
  /// chance. Null if it was not measured.
  public Measured bestOf(String strategy) {
    Measured fastest = null;
    Measured own = null;
    for (Measured each : figures) {
      if (each.strategy().equals(strategy)) {
        own = each.chunkBytes() == 0 ? each : own;
        boolean faster = fastest == null || each.medianNsPerMiB() < fastest.medianNsPerMiB();
        fastest = faster ? each : fastest;
      }
    }
    return own != null && own.isWithinNoiseOf(fastest) ? own : fastest;
  }

  /// What the runs of one strategy with one chunk took.
  ///
  /// @param strategy its name
  /// @param chunkBytes the chunk it was given; 0 if it was left its own
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
}

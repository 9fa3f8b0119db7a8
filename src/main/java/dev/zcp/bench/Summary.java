package dev.zcp.bench;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/// The order statistics of the runs of one cell, of whatever figure is asked for.
///
/// @param lowerQuartile a quarter of the runs were no greater
/// @param upperQuartile three quarters of the runs were no greater
public record Summary(
    double median,
    double mean,
    double min,
    double max,
    double lowerQuartile,
    double upperQuartile) {

  /// @param figures at least one, in any order
  public static Summary of(double... figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return new Summary(
        quantile(sorted, 0.5),
        DoubleStream.of(sorted).average().orElseThrow(),
        sorted[0],
        sorted[sorted.length - 1],
        quantile(sorted, 0.25),
        quantile(sorted, 0.75));
  }

  /// The distance between the quartiles, in parts of the median: 0.1 means that half of the runs
  /// lie within a tenth of it. 0 if the median is.
  public double spread() {
    return median == 0 ? 0 : (upperQuartile - lowerQuartile) / median;
  }

  /// Whether the difference between this and `other` may be chance: their middle halves overlap.
  public boolean isWithinNoiseOf(Summary other) {
    return lowerQuartile <= other.upperQuartile && other.lowerQuartile <= upperQuartile;
  }

  /// Linear between neighbours, as R's type 7 and numpy's default.
  private static double quantile(double[] sorted, double part) {
    double at = part * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = (int) Math.ceil(at);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}

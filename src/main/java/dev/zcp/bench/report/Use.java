package dev.zcp.bench.report;

import dev.zcp.bench.count.Usage;
import dev.zcp.bench.result.Sample;
import dev.zcp.bench.result.Summary;
import java.util.List;
import java.util.function.ToLongFunction;

/// What one run of a cell used, each figure the median of all runs for itself; so the two kinds of
/// context switches need not add up to all of them.
///
/// @param systemCalls NaN where nobody could count them
record Use(
    double userNs,
    double systemNs,
    double systemCalls,
    double contextSwitches,
    double voluntarySwitches,
    double involuntarySwitches,
    double minorFaults,
    double majorFaults) {

  static Use of(List<Sample> samples) {
    boolean known =
        samples.stream().allMatch(sample -> sample.usage().systemCalls() != Usage.UNKNOWN);
    return new Use(
        Math.rint(median(samples, Usage::userNs)),
        Math.rint(median(samples, Usage::systemNs)),
        known ? median(samples, Usage::systemCalls) : Double.NaN,
        median(samples, Usage::contextSwitches),
        median(samples, Usage::voluntarySwitches),
        median(samples, Usage::involuntarySwitches),
        median(samples, Usage::minorFaults),
        median(samples, Usage::majorFaults));
  }

  double pageFaults() {
    return minorFaults + majorFaults;
  }

  private static double median(List<Sample> samples, ToLongFunction<Usage> figure) {
    return Summary.of(samples, sample -> figure.applyAsLong(sample.usage())).median();
  }
}

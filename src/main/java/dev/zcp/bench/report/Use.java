package dev.zcp.bench.report;

import dev.zcp.bench.count.Usage;
import dev.zcp.bench.result.Sample;
import dev.zcp.bench.result.Summary;
import java.util.List;
import java.util.function.ToLongFunction;

/// What one run of a cell used. Counts are medians of all runs, each for itself; so the two kinds
/// of context switches need not add up to all of them.
///
/// Times are means. The kernel knows to the nanosecond how long a thread ran, but most kernels see
/// only at the ticks of their clock, some milliseconds apart, whether it is in user mode, and
/// divide the time as the ticks fell (`cputime_adjust` in `kernel/sched/cputime.c`). So of a run
/// that is shorter than a tick user or system has all, and a median of such would say that the
/// other had nothing; over many runs the mean comes near the truth. The two together are right for
/// each run, but for what the readings take themselves, which is in them and not in the elapsed
/// time: of runs of a few hundred microseconds they may come to a little more than that.
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
        Math.rint(mean(samples, Usage::userNs)),
        Math.rint(mean(samples, Usage::systemNs)),
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

  private static double mean(List<Sample> samples, ToLongFunction<Usage> figure) {
    return Summary.of(samples, sample -> figure.applyAsLong(sample.usage())).mean();
  }

  private static double median(List<Sample> samples, ToLongFunction<Usage> figure) {
    return Summary.of(samples, sample -> figure.applyAsLong(sample.usage())).median();
  }
}

package dev.zcp.bench.tune;

import dev.zcp.bench.result.Summary;
import dev.zcp.profile.TunedWay.Measured;
import java.util.ArrayList;
import java.util.List;

/// A candidate in a race, and what it has shown so far.
final class Runner {

  private static final double BYTES_PER_MIB = 1 << 20;

  private final Candidate candidate;
  private final List<Double> times = new ArrayList<>();
  private long firstNs;
  private String refusal = "";
  private boolean hopeless;

  Runner(Candidate candidate) {
    this.candidate = candidate;
  }

  Candidate candidate() {
    return candidate;
  }

  void first(Outcome outcome) {
    switch (outcome) {
      case Outcome.Took(long elapsedNs) -> firstNs = elapsedNs;
      case Outcome.Refused(String reason) -> refusal = reason;
    }
  }

  void counted(Outcome outcome) {
    switch (outcome) {
      case Outcome.Took(long elapsedNs) -> times.add((double) elapsedNs);
      case Outcome.Refused(String reason) -> refusal = reason;
    }
  }

  boolean isRefused() {
    return !refusal.isEmpty();
  }

  boolean takesPart() {
    return !isRefused() && !hopeless;
  }

  /// Takes no further part: it cannot win any more.
  void giveUp() {
    hopeless = true;
  }

  /// The fastest counted run, in nanoseconds.
  double minNs() {
    return times.stream().mapToDouble(Double::doubleValue).min().orElse(Double.MAX_VALUE);
  }

  /// The slowest counted run, in nanoseconds.
  double maxNs() {
    return times.stream().mapToDouble(Double::doubleValue).max().orElse(Double.MAX_VALUE);
  }

  int runs() {
    return times.size();
  }

  /// @param fileBytes what each run moved
  Measured measured(long fileBytes) {
    Summary ns = summary();
    double mib = fileBytes / BYTES_PER_MIB;
    return new Measured(
        candidate.strategy(),
        candidate.chunkBytes(),
        Math.round(ns.median() / mib),
        Math.round(ns.lowerQuartile() / mib),
        Math.round(ns.upperQuartile() / mib),
        times.size());
  }

  Trialled trialled() {
    return isRefused()
        ? new Trialled.Refused(candidate.strategy(), candidate.chunkBytes(), refusal)
        : new Trialled.Measured(
            candidate.strategy(), candidate.chunkBytes(), firstNs, summary(), times.size());
  }

  Summary summary() {
    return summary(0);
  }

  /// @param more what to add to each time, in nanoseconds
  Summary summary(long more) {
    return Summary.of(times.stream().mapToDouble(time -> time + more).toArray());
  }
}

package dev.zcp.bench.report;

import dev.zcp.insight.Latencies;

/// Within which time so many percent of a cell's calls were over.
record CallTimes(long p50Ns, long p90Ns, long p99Ns, long p999Ns, long maxNs) {

  static CallTimes of(Latencies latencies) {
    return new CallTimes(
        latencies.percentileNs(50),
        latencies.percentileNs(90),
        latencies.percentileNs(99),
        latencies.percentileNs(99.9),
        latencies.maxNs());
  }
}

package dev.zcp.report;

/// How much a [TextReport] says.
public enum Detail {
  /// Failures only: `-q`.
  QUIET,
  /// Failures, notes, the summary and the latencies.
  NORMAL,
  /// A line for each peer and each finished file besides: `-v`.
  VERBOSE
}

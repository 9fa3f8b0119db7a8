package dev.zcp.bench.run;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;

/// How many system calls one run made.
///
/// @param calls how many, or [Usage#UNKNOWN]
/// @param how which of them that are
/// @param note why not all were counted, or not as asked for, as a phrase; empty where they were
record CallCount(long calls, SystemCallCount how, String note) {

  /// Nobody counted.
  static final CallCount NONE = new CallCount(Usage.UNKNOWN, SystemCallCount.NONE, "");
}

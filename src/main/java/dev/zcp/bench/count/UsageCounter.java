package dev.zcp.bench.count;

import java.io.Closeable;

/// Counts for the thread that opened it, and is to be read by that thread alone.
public interface UsageCounter extends Closeable {

  /// What this thread has used up to now: to be compared with an earlier or later answer.
  Usage read();

  /// Which system calls [Usage#systemCalls] holds.
  SystemCallCount systemCallCount();

  @Override
  void close();
}

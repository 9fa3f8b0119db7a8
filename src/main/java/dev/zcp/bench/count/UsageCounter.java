package dev.zcp.bench.count;

import java.io.Closeable;

/// Counts for the thread that opened it, and is to be read by that thread alone.
public interface UsageCounter extends Closeable {

  /// What this thread has used up to now: to be compared with an earlier or later answer.
  Usage read();

  /// Which system calls [Usage#systemCalls] holds.
  SystemCallCount systemCallCount();

  /// Why not all system calls are counted, and what would help: a phrase a user can read; empty
  /// where all are.
  String note();

  @Override
  void close();
}

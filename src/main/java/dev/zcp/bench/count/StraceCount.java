package dev.zcp.bench.count;

import java.util.Map;

/// What strace saw.
public sealed interface StraceCount {

  /// All system calls that one thread made between the first and the last of a piece of work.
  ///
  /// @param calls how many of each name
  record Counted(Map<String, Long> calls) implements StraceCount {

    public Counted {
      calls = Map.copyOf(calls);
    }

    public long total() {
      return calls.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /// Nothing, or not all.
  ///
  /// @param reason a phrase a user can read
  record Unavailable(String reason) implements StraceCount {}
}

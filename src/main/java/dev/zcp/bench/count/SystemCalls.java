package dev.zcp.bench.count;

/// Counts the system calls of one thread, which opened it and alone reads it.
///
/// A reading is a clock_gettime(2) and a getrusage(2), made by the caller just before, and a
/// [#countBesideReadings]: an implementation leaves the calls of all readings out.
interface SystemCalls extends AutoCloseable {

  /// How many calls there were since it was opened, but for those of readings; [Usage#UNKNOWN]
  /// where nobody counts.
  long countBesideReadings();

  SystemCallCount kind();

  /// Why not all calls are counted, and what would help: a phrase a user can read; empty where all
  /// are.
  String note();

  @Override
  void close();

  /// The best count of the calling thread that can be had here.
  static SystemCalls best() {
    SystemCalls all = TracepointCalls.open();
    if (all.kind() != SystemCallCount.NONE) {
      return all;
    }
    SystemCalls some = ProcCalls.open(all.note());
    return some.kind() != SystemCallCount.NONE
        ? some
        : new Uncounted(all.note() + "; " + some.note());
  }

  /// Nobody counts.
  ///
  /// @param note why
  record Uncounted(String note) implements SystemCalls {
    @Override
    public long countBesideReadings() {
      return Usage.UNKNOWN;
    }

    @Override
    public SystemCallCount kind() {
      return SystemCallCount.NONE;
    }

    @Override
    public void close() {}
  }
}

package dev.zcp.bench.result;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.plan.Cell;
import dev.zcp.insight.Latencies;
import dev.zcp.spi.Model;
import java.util.List;

/// What became of a cell.
public sealed interface CellResult {

  Cell cell();

  /// It was run, and no run failed its check: a written file is compared in full; of bytes that end
  /// in memory or at the other end of a connection a timed run counts all and looks at one of each
  /// 4096, and one run apart looks at all.
  ///
  /// @param model what the calls cost by theory
  /// @param first the very first run, apart from the others: nothing was warm but what the cell
  ///   asks for
  /// @param warmUpRuns how many runs after the first were not counted, since the next was still
  ///   faster
  /// @param samples the runs that count, at least one, in the order in which they were made
  /// @param latencies of the single calls of all counted runs
  /// @param callsPerRun how many calls of the contender one run made
  /// @param userBytes how many bytes one run copied between user and kernel memory, both ways
  ///   together
  /// @param systemCallCount which system calls the samples hold; they were counted in a run of
  ///   their own, since counting takes time
  /// @param socketBufferBytes what the kernel gave; 0 where there was no socket
  /// @param cachedBefore how much of the source was in the page cache before the runs, from 0 to 1,
  ///   the worst run; NaN where nobody looked
  record Measured(
      Cell cell,
      Model model,
      Sample first,
      int warmUpRuns,
      List<Sample> samples,
      Latencies latencies,
      long callsPerRun,
      long userBytes,
      SystemCallCount systemCallCount,
      int socketBufferBytes,
      double cachedBefore)
      implements CellResult {

    public Measured {
      samples = List.copyOf(samples);
      if (samples.isEmpty()) {
        throw new IllegalArgumentException("measured, and not run");
      }
    }
  }

  /// It cannot be done here; no fault of anybody.
  ///
  /// @param reason a phrase a user can read
  record Refused(Cell cell, String reason) implements CellResult {}

  /// It went wrong: other bytes than there should be, or too few, or an error on the way.
  ///
  /// @param message what happened, a phrase a user can read
  record Failed(Cell cell, String message) implements CellResult {}
}

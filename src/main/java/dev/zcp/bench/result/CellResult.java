package dev.zcp.bench.result;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;
import dev.zcp.bench.plan.Cell;
import dev.zcp.insight.Latencies;
import dev.zcp.spi.Model;
import java.util.List;

/// What became of a cell.
public sealed interface CellResult {

  /// A call of fewer bytes is a small one: booking its time takes as long as it does.
  long SMALL_CALL_BYTES = 4096;

  /// Of the small calls of a run the time of the first is booked, and then of one in so many. A
  /// prime: with a power of two the calls booked would all begin a page, and only those meet its
  /// page fault.
  int SMALL_CALLS_BOOKED_EVERY = 61;

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
  /// @param latencies of the single calls of all counted runs; of calls below [#SMALL_CALL_BYTES],
  ///   one in [#SMALL_CALLS_BOOKED_EVERY]
  /// @param callsPerRun how many calls of the contender one run made
  /// @param userBytes how many bytes one run copied between user and kernel memory, both ways
  ///   together; [Usage#UNKNOWN] where nobody could see it
  /// @param systemCallCount which system calls the samples hold; they were counted in a run of
  ///   their own, since counting takes time
  /// @param socketBufferBytes what the kernel gave; 0 where there was no socket
  /// @param cachedBefore how much of the source was in the page cache before the runs, from 0 to 1,
  ///   the worst run; NaN where nobody looked
  /// @param forces how often one run forced what it wrote to the device, the mean of the counted
  ///   runs: a thread beside may make one of several
  /// @param forceLatencies of the single forces of all counted runs; null where there was none
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
      double cachedBefore,
      long forces,
      Latencies forceLatencies)
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

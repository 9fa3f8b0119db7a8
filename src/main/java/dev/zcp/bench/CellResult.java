package dev.zcp.bench;

import dev.zcp.insight.Latencies;
import dev.zcp.spi.Model;
import java.util.List;
import java.util.function.ToLongFunction;

/// What became of a cell.
public sealed interface CellResult {

  /// A call of fewer bytes is a small one: booking its time takes as long as it does.
  long SMALL_CALL_BYTES = 4096;

  /// Of the small calls of a run the time of the first is booked, and then of one in so many. A
  /// prime: with a power of two the calls booked would all begin a page, and only those meet its
  /// page fault.
  int SMALL_CALLS_BOOKED_EVERY = 61;

  Cell cell();

  /// How many system calls one run made.
  ///
  /// @param calls how many, or [Usage#UNKNOWN]
  /// @param note why not all were counted, or not as asked for, as a phrase; empty if they were
  record CallCount(long calls, CountedBy kind, String note) {

    /// Nobody counted.
    public static final CallCount NONE = new CallCount(Usage.UNKNOWN, CountedBy.NONE, "");

    /// How system calls were counted, and so which.
    public enum CountedBy {
      TRACEPOINT("all, by tracepoint"),
      /// In a run of its own.
      STRACE("all, by strace"),
      /// sendfile(2) and copy_file_range(2) count twice, as a read and a write; splice(2) and
      /// mapping do not show.
      READS_AND_WRITES("reads and writes only, from /proc"),
      NONE("not counted");

      private final String phrase;

      CountedBy(String phrase) {
        this.phrase = phrase;
      }

      String phrase() {
        return phrase;
      }

      /// Whether every call is in the count.
      boolean isComplete() {
        return this == TRACEPOINT || this == STRACE;
      }
    }
  }

  /// One run of a cell.
  ///
  /// @param elapsedNs from the first call until the last byte was where it belongs
  /// @param usage of the thread that moved the bytes, and of no other
  record Sample(long elapsedNs, Usage usage) {}

  /// It was run, and no run failed its check.
  ///
  /// @param first the very first run, when nothing was warm but what the cell asks for
  /// @param warmUpRuns how many runs after the first were not counted, since the next was still
  ///   faster
  /// @param samples the runs that count, at least one, in the order in which they were made
  /// @param latencies of the single calls of all counted runs; of calls below [#SMALL_CALL_BYTES],
  ///   one in [#SMALL_CALLS_BOOKED_EVERY]
  /// @param callsPerRun how many calls of the contender one run made
  /// @param userBytes how many bytes one run copied between user and kernel memory, both ways
  ///   together; [Usage#UNKNOWN] if nobody could see it
  /// @param callCount of a run of its own, since counting takes time
  /// @param socketBufferBytes what the kernel gave; 0 if there was no socket
  /// @param cachedBefore how much of the source was in the page cache before the runs, from 0 to 1,
  ///   the worst run; NaN if nobody looked
  /// @param forces how often one run forced what it wrote to the device, the mean of the counted
  ///   runs: a thread beside may make one of several
  /// @param forceLatencies of the single forces of all counted runs; null if there was none
  record Measurement(
      Cell cell,
      Model model,
      Sample first,
      int warmUpRuns,
      List<Sample> samples,
      Latencies latencies,
      long callsPerRun,
      long userBytes,
      CallCount callCount,
      int socketBufferBytes,
      double cachedBefore,
      long forces,
      Latencies forceLatencies)
      implements CellResult {

    public Measurement {
      samples = List.copyOf(samples);
      if (samples.isEmpty()) {
        throw new IllegalArgumentException("measured, and not run");
      }
    }

    Summary elapsed() {
      return Summary.of(samples.stream().mapToDouble(Sample::elapsedNs).toArray());
    }

    /// A count of one run, the median of all runs.
    double median(ToLongFunction<Usage> figure) {
      return summary(figure).median();
    }

    /// A time of one run, the mean of all runs. Most kernels see only at the ticks of their clock
    /// whether a thread is in user mode, and divide its time as the ticks fell (`cputime_adjust` in
    /// `kernel/sched/cputime.c`): of a run that is shorter than a tick user or system has all, and
    /// a median would say that the other had nothing.
    double mean(ToLongFunction<Usage> figure) {
      return Math.rint(summary(figure).mean());
    }

    /// NaN if nobody counted.
    double systemCalls() {
      return callCount.calls() == Usage.UNKNOWN ? Double.NaN : callCount.calls();
    }

    /// Of the run in the middle; 0 if it took no time.
    double bytesPerSecond() {
      double medianNs = elapsed().median();
      return medianNs <= 0 ? 0 : cell.fileBytes() * 1e9 / medianNs;
    }

    double perMib(double count) {
      return count / (cell.fileBytes() / (double) (1 << 20));
    }

    /// How often a byte was copied between user and kernel memory; NaN if nobody could see it.
    double userCopies() {
      return userBytes == Usage.UNKNOWN ? Double.NaN : (double) userBytes / cell.fileBytes();
    }

    /// System calls switch into the kernel and back. NaN if not all were counted: those that nobody
    /// saw would make a strategy look better than it is.
    double modeSwitchesPerMib() {
      return callCount.kind().isComplete() ? 2 * perMib(systemCalls()) : Double.NaN;
    }

    private Summary summary(ToLongFunction<Usage> figure) {
      return Summary.of(
          samples.stream().mapToDouble(each -> figure.applyAsLong(each.usage())).toArray());
    }
  }

  /// It cannot be done here.
  ///
  /// @param reason a phrase a user can read
  record Refused(Cell cell, String reason) implements CellResult {}

  /// It went wrong: other bytes than there should be, or too few, or an error on the way.
  ///
  /// @param message what happened, a phrase a user can read
  record Failed(Cell cell, String message) implements CellResult {}
}

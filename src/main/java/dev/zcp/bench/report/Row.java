package dev.zcp.bench.report;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.count.Usage;
import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.result.CellResult;
import dev.zcp.bench.result.Sample;
import dev.zcp.bench.result.Summary;
import dev.zcp.spi.Model;
import java.util.List;

/// What became of a cell, as a report shows it.
sealed interface Row {

  double BYTES_PER_MIB = 1 << 20;

  Cell cell();

  /// It was run, and no run failed its check.
  ///
  /// @param model what one of its calls costs by theory
  /// @param samplesNs the time of each run that counts, in order, at least one
  /// @param use what one run used, the median of each figure
  /// @param calls the latencies of its calls
  /// @param userBytes how many bytes one run copied between user and kernel memory, both ways
  ///   together; NaN where nobody could see it
  /// @param socketBufferBytes what the kernel gave; 0 where there was no socket
  /// @param cachedBefore how much of the source was in the page cache before; NaN where nobody
  ///   looked
  /// @param forces how often one run forced what it wrote
  /// @param forceTimes of single forces; null where there was none
  record Measured(
      Cell cell,
      Model model,
      long firstNs,
      int warmUpRuns,
      List<Long> samplesNs,
      Use use,
      CallTimes calls,
      long callsPerRun,
      double userBytes,
      SystemCallCount systemCallCount,
      int socketBufferBytes,
      double cachedBefore,
      long forces,
      CallTimes forceTimes)
      implements Row {

    public Measured {
      samplesNs = List.copyOf(samplesNs);
    }

    static Measured of(CellResult.Measured result) {
      return new Measured(
          result.cell(),
          result.model(),
          result.first().elapsedNs(),
          result.warmUpRuns(),
          result.samples().stream().map(Sample::elapsedNs).toList(),
          Use.of(result.samples()),
          CallTimes.of(result.latencies()),
          result.callsPerRun(),
          result.userBytes() == Usage.UNKNOWN ? Double.NaN : result.userBytes(),
          result.systemCallCount(),
          result.socketBufferBytes(),
          result.cachedBefore(),
          result.forces(),
          result.forceLatencies() == null ? null : CallTimes.of(result.forceLatencies()));
    }

    /// The times of the runs, in nanoseconds.
    Summary elapsed() {
      List<Sample> samples =
          samplesNs.stream().map(elapsedNs -> new Sample(elapsedNs, Usage.NONE)).toList();
      return Summary.of(samples, Sample::elapsedNs);
    }

    /// Of the run in the middle; 0 where it took no time.
    double bytesPerSecond() {
      double medianNs = elapsed().median();
      return medianNs <= 0 ? 0 : cell.fileBytes() * 1e9 / medianNs;
    }

    /// `count` of one run as so many for each MiB of the file; NaN for an empty file.
    double perMib(double count) {
      return cell.fileBytes() == 0 ? Double.NaN : count / (cell.fileBytes() / BYTES_PER_MIB);
    }

    /// How often a byte was copied between user and kernel memory; NaN for an empty file and where
    /// nobody could see it.
    double userCopies() {
      return cell.fileBytes() == 0 ? Double.NaN : userBytes / cell.fileBytes();
    }
  }

  /// It cannot be done here.
  record Refused(Cell cell, String reason) implements Row {}

  /// It went wrong.
  record Failed(Cell cell, String message) implements Row {}
}

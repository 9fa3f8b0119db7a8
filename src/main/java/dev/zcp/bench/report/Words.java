package dev.zcp.bench.report;

import dev.zcp.bench.count.SystemCallCount;
import dev.zcp.bench.result.CellResult;
import dev.zcp.bench.result.Machine;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Phrases that every report for people has.
final class Words {

  /// What the figures of the model are.
  static final String MODEL =
      "Theory: what one call costs when a file goes to a socket; copies with user memory + inside"
          + " the kernel. Measured: system calls, switches of mode, bytes copied with user memory"
          + " for each byte of the file; ctx are switches to another thread.";

  static final String ONE_THREAD =
      "user, sys, calls and ctx are of the thread that writes, not of one that forces beside it.";

  /// Under the times of single calls.
  static final String SMALL_CALLS =
      "Of calls below "
          + new ByteSize(CellResult.SMALL_CALL_BYTES)
          + " the time of one in "
          + CellResult.SMALL_CALLS_BOOKED_EVERY
          + " was booked: booking takes as long as they do.";

  private Words() {}

  /// The header of the column of system calls, another one where only reads and writes were
  /// counted.
  static String callsHeader(List<Row.Measured> rows) {
    boolean some =
        rows.stream().anyMatch(row -> row.systemCallCount() == SystemCallCount.READS_AND_WRITES);
    return some ? "r/w" : "calls";
  }

  /// `System calls: all, by tracepoint.`
  static String systemCalls(Sheet sheet) {
    List<String> ways =
        sheet.measured().stream().map(row -> row.systemCallCount().phrase()).distinct().toList();
    return "System calls: " + String.join("; for some cells ", ways) + ".";
  }

  /// `zcp 0.1.0, seed 42, 2026-11-21T15:10:56Z; Ryzen 9, 4 processors, ...`, one line.
  static String run(Sheet sheet) {
    return "zcp "
        + Printable.of(sheet.version())
        + ", seed "
        + sheet.seed()
        + ", "
        + started(sheet)
        + "; "
        + machine(sheet.machine());
  }

  /// `2026-11-21T15:10:56Z`
  static String started(Sheet sheet) {
    return Instant.ofEpochMilli(sheet.startedMs()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static String machine(Machine machine) {
    List<String> words = new ArrayList<>();
    words.add(machine.processor());
    words.add(machine.processors() > 0 ? Prose.count(machine.processors(), "processor") : "");
    words.add(machine.memoryBytes() > 0 ? new ByteSize(machine.memoryBytes()).toString() : "");
    words.add(machine.kernel());
    words.add(machine.java().isEmpty() ? "" : "Java " + machine.java());
    words.add(machine.fileSystem());
    words.removeIf(String::isEmpty);
    return Printable.ofPhrase(String.join(", ", words));
  }
}

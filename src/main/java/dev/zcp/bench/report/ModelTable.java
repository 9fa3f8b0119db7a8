package dev.zcp.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What each strategy costs by theory, beside what was counted.
final class ModelTable {

  /// A row of it.
  ///
  /// @param switchesPerCall into the kernel and back, by theory, when a file goes to a socket
  /// @param userCopies by theory
  /// @param kernelCopies by theory
  /// @param callsPerMib system calls, counted; NaN where nobody could
  /// @param copied how often a byte was copied between user and kernel memory; NaN where nobody
  ///   could see it
  record Line(
      Row.Measured row,
      int switchesPerCall,
      int userCopies,
      int kernelCopies,
      double callsPerMib,
      double copied,
      double contextSwitchesPerMib,
      double faultsPerMib) {

    static Line of(Row.Measured row) {
      return new Line(
          row,
          row.model().modeSwitches(),
          row.model().userKernelCopies(),
          row.model().kernelKernelCopies(),
          row.perMib(row.use().systemCalls()),
          row.userCopies(),
          row.perMib(row.use().contextSwitches()),
          row.perMib(row.use().pageFaults()));
    }

    /// A system call is one switch into the kernel and one back. NaN where not all were counted:
    /// those that nobody saw would make a strategy look better than it is.
    double modeSwitchesPerMib() {
      boolean all =
          switch (row.systemCallCount()) {
            case TRACEPOINT, STRACE -> true;
            case READS_AND_WRITES, NONE -> false;
          };
      return all ? 2 * callsPerMib : Double.NaN;
    }
  }

  private ModelTable() {}

  /// @param all whether every cell has a line, or only the fastest of each strategy in each
  ///   experiment
  static List<Line> lines(Sheet sheet, boolean all) {
    if (all) {
      return sheet.measured().stream().map(Line::of).toList();
    }
    Map<List<String>, Row.Measured> best = new LinkedHashMap<>();
    for (Row.Measured row : sheet.measured()) {
      List<String> strategy = List.of(row.cell().experiment().word(), row.cell().contender());
      best.merge(strategy, row, (old, other) -> nsPerByte(other) < nsPerByte(old) ? other : old);
    }
    return best.values().stream().map(Line::of).toList();
  }

  /// `2x`, or `-` where nobody could see it.
  static String copied(double times, boolean unicode) {
    return Double.isNaN(times) ? "-" : Scale.threeFigures(times) + (unicode ? "×" : "x");
  }

  private static double nsPerByte(Row.Measured row) {
    return row.elapsed().median() / Math.max(1, row.cell().fileBytes());
  }

  /// What tells lines apart that would be called the same.
  static List<Trait> traits(List<Line> lines) {
    return Trait.thatTellApart(lines.stream().map(line -> line.row().cell()).toList());
  }

  static TextTable of(Sheet sheet, boolean all, boolean unicode) {
    List<Line> lines = lines(sheet, all);
    List<Trait> traits = traits(lines);
    TextTable table = new TextTable().left("", "strategy").right("chunk");
    traits.forEach(trait -> table.left(trait.header()));
    table.band("theory, a call").right("switches", "copies");
    table.band("measured, a MiB").right(Words.callsHeader(sheet.measured()), "switches", "copied");
    table.right("ctx", "faults");
    for (Line line : lines) {
      List<String> cells = new ArrayList<>();
      cells.add(line.row().cell().experiment().word());
      cells.addAll(Trait.tellApart(line.row().cell(), traits));
      cells.add(Integer.toString(line.switchesPerCall()));
      cells.add(line.userCopies() + "+" + line.kernelCopies());
      cells.add(Scale.average(line.callsPerMib()));
      cells.add(Scale.average(line.modeSwitchesPerMib()));
      cells.add(copied(line.copied(), unicode));
      cells.add(Scale.average(line.contextSwitchesPerMib()));
      cells.add(Scale.average(line.faultsPerMib()));
      table.row(cells);
    }
    return table;
  }
}

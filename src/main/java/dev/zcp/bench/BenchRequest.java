package dev.zcp.bench;

import dev.zcp.core.RawPath;
import java.util.List;
import java.util.function.UnaryOperator;

/// What `zcp bench` was asked to do.
///
/// @param groups each a table of its own
/// @param command the command line, for the record
/// @param directory where files are made; they are removed afterwards
/// @param file a file of the user's own that is read instead of a made one, or null
/// @param content what made files hold
/// @param timeNs how long the whole benchmark may take, [#UNLIMITED] for as long as it needs
/// @param runs how many runs of each cell count, at least 1, if there is time for them
/// @param cellTimeNs a cell that has run for longer than this is given no further runs, but for the
///   first that counts; the report says how many it had
/// @param seed of the order in which cells take turns, and of made content
/// @param strace whether system calls are counted by strace, in one more run of each cell
public record BenchRequest(
    List<CellGroup> groups,
    String command,
    String zcpVersion,
    RawPath directory,
    RawPath file,
    Content.ContentKind content,
    long timeNs,
    int runs,
    long cellTimeNs,
    long seed,
    boolean strace) {

  public static final long UNLIMITED = Long.MAX_VALUE;

  /// Cells that compete with each other and with no others: they do the same work in different
  /// ways.
  ///
  /// @param title what they do, one line: `read 290 MiB, warm`
  /// @param note what to know beside it, such as the machine of an article's figures; may be empty
  public record CellGroup(String title, String note, List<Cell> cells) {

    public CellGroup {
      cells = List.copyOf(cells);
    }

    /// The same with other cells.
    public CellGroup with(UnaryOperator<Cell> change) {
      return new CellGroup(title, note, cells.stream().map(change).toList());
    }
  }

  /// Hears how a benchmark gets on, on the thread that runs it and never while a clock runs.
  public interface BenchListener {

    /// @param runs how many runs there will be in all, warm-up not counted: a guess, for progress
    void planned(int runs);

    /// @param runsDone how many are over, of those that [#planned] told
    void running(Cell cell, int runsDone);
  }
}

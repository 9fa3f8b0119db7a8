package dev.zcp.bench.plan;

import java.util.List;

/// What to measure.
///
/// @param groups each a table of its own; cells of one group compete with each other and with no
///   others
public record Plan(List<Group> groups) {

  public Plan {
    groups = List.copyOf(groups);
  }

  /// Cells that are to be compared: they do the same work in different ways.
  ///
  /// @param title what they do, one line: `read 290 MiB, warm`
  /// @param note what to know beside it, such as the machine of an article's figures; may be empty
  public record Group(String title, String note, List<Cell> cells) {
    public Group {
      cells = List.copyOf(cells);
    }
  }

  /// All cells of all groups.
  public int cellCount() {
    return groups.stream().mapToInt(group -> group.cells().size()).sum();
  }
}

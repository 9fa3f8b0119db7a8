package dev.zcp.bench;

import java.util.List;

/// Cells that compete with each other and with no others: they do the same work in different ways.
///
/// @param title what they do, one line: `read 290 MiB, warm`
/// @param note what to know beside it, such as the machine of an article's figures; may be empty
public record CellGroup(String title, String note, List<Cell> cells) {

  public CellGroup {
    cells = List.copyOf(cells);
  }
}

package dev.zcp.bench.report;

import dev.zcp.bench.plan.Cell;
import dev.zcp.bench.plan.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// The cells of two runs, matched: the same group, and the same in all that a plan says of them but
/// for what an article claims. A cell that stands twice in a group is matched in order.
///
/// @param byPlace what became of the cell at a place of the new run; none for a cell that was not
///   measured in both
/// @param onlyNow places of the new run that were measured now and not before
/// @param onlyBefore rows measured before and not now
record Changes(Map<Place, Change> byPlace, List<Place> onlyNow, List<OldRow> onlyBefore) {

  static final Changes NONE = new Changes(Map.of(), List.of(), List.of());

  /// The number of a group in the new run, and of a row in it.
  record Place(int group, int row) {}

  /// A row of the old run.
  record OldRow(String group, Row.Measured row) {}

  private record Key(String group, Cell cell) {}

  static Changes between(Sheet before, Sheet now) {
    Map<Key, Queue<Row.Measured>> old = new HashMap<>();
    for (Sheet.Group group : before.groups()) {
      for (Row.Measured row : group.measured()) {
        old.computeIfAbsent(key(group, row), key -> new ArrayDeque<>()).add(row);
      }
    }
    Map<Place, Change> byPlace = new HashMap<>();
    List<Place> onlyNow = new ArrayList<>();
    for (int i = 0; i < now.groups().size(); i++) {
      Sheet.Group group = now.groups().get(i);
      for (int j = 0; j < group.rows().size(); j++) {
        if (group.rows().get(j) instanceof Row.Measured row) {
          Queue<Row.Measured> candidates = old.getOrDefault(key(group, row), new ArrayDeque<>());
          Row.Measured match = candidates.poll();
          if (match == null) {
            onlyNow.add(new Place(i, j));
          } else {
            byPlace.put(new Place(i, j), Change.of(match, row));
          }
        }
      }
    }
    List<OldRow> onlyBefore = new ArrayList<>();
    for (Sheet.Group group : before.groups()) {
      for (Row.Measured row : group.measured()) {
        // By identity: of a cell that stands twice, one may have been matched.
        boolean left = old.get(key(group, row)).stream().anyMatch(each -> each == row);
        if (left) {
          onlyBefore.add(new OldRow(group.title(), row));
        }
      }
    }
    return new Changes(byPlace, onlyNow, onlyBefore);
  }

  /// Null where there is none.
  Change of(int group, int row) {
    return byPlace.get(new Place(group, row));
  }

  private static Key key(Sheet.Group group, Row row) {
    Cell cell = row.cell();
    return new Key(
        group.title(),
        new Cell(
            cell.experiment(),
            cell.contender(),
            cell.chunkBytes(),
            cell.fileBytes(),
            cell.cache(),
            cell.forcing(),
            cell.peer(),
            cell.socketBufferBytes(),
            Claim.NONE));
  }
}

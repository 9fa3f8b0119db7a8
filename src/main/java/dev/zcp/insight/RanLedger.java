package dev.zcp.insight;

import java.util.ArrayList;
import java.util.List;

/// Adds up what ran. Guarded by its owner's lock.
final class RanLedger {

  /// A bound on what a peer's or a third party's endless choice of reasons may make us keep.
  static final int KINDS_MAX = 64;

  private static final String OTHER_REASONS = "for other reasons";

  private final List<Ran> kinds = new ArrayList<>(2);

  /// Adds `bytes` and `steps` to what `strategy` moved for this reason.
  void add(String strategy, long bytes, long steps, String fellBackBecause) {
    int index = indexOf(strategy, fellBackBecause);
    if (index < 0 && kinds.size() >= KINDS_MAX) {
      index = indexOf(strategy, OTHER_REASONS);
      if (index < 0) {
        kinds.add(new Ran(strategy, bytes, steps, OTHER_REASONS));
        return;
      }
    }
    if (index < 0) {
      kinds.add(new Ran(strategy, bytes, steps, fellBackBecause));
      return;
    }
    Ran known = kinds.get(index);
    kinds.set(
        index,
        new Ran(strategy, known.bytes() + bytes, known.steps() + steps, known.fellBackBecause()));
  }

  /// Why `strategy` took over when it first moved bytes, or null where it has moved none.
  String reasonOf(String strategy) {
    for (Ran ran : kinds) {
      if (ran.strategy().equals(strategy)) {
        return ran.fellBackBecause();
      }
    }
    return null;
  }

  /// All of it, in the order in which it began.
  List<Ran> inOrder() {
    return List.copyOf(kinds);
  }

  /// All of it, the largest share first.
  List<Ran> byShare() {
    List<Ran> sorted = new ArrayList<>(kinds);
    // Not Comparator.comparingLong: its serializable lambda costs 5 ms in every process, since no
    // AOT cache holds it.
    sorted.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
    return List.copyOf(sorted);
  }

  private int indexOf(String strategy, String fellBackBecause) {
    for (int i = 0; i < kinds.size(); i++) {
      Ran ran = kinds.get(i);
      if (ran.strategy().equals(strategy) && ran.fellBackBecause().equals(fellBackBecause)) {
        return i;
      }
    }
    return -1;
  }
}

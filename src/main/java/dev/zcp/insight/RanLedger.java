package dev.zcp.insight;

import dev.zcp.insight.Result.Ran;
import java.util.ArrayList;
import java.util.List;

/// Adds up what ran. Guarded by its owner's lock.
final class RanLedger {

  /// A bound on what a peer's or a third party's endless choice of reasons may make us keep.
  static final int KINDS_MAX = 64;

  private static final String OTHER_REASONS = "for other reasons";

  private final List<StrategyTotal> kinds = new ArrayList<>(2);

  /// Adds `bytes` and `steps` to what `strategy` moved for this reason.
  void add(String strategy, long bytes, long steps, String fellBackBecause) {
    StrategyTotal total = find(strategy, fellBackBecause);
    if (total == null) {
      boolean isFull = kinds.size() >= KINDS_MAX;
      total = isFull ? find(strategy, OTHER_REASONS) : null;
      if (total == null) {
        total = new StrategyTotal(strategy, isFull ? OTHER_REASONS : fellBackBecause);
        kinds.add(total);
      }
    }
    total.bytes += bytes;
    total.steps += steps;
  }

  /// @param other may be null, if nothing ran
  void addAll(RanLedger other) {
    for (int i = 0; other != null && i < other.kinds.size(); i++) {
      StrategyTotal total = other.kinds.get(i);
      add(total.strategy, total.bytes, total.steps, total.fellBackBecause);
    }
  }

  /// Why `strategy` took over when it first moved bytes, or null if it has moved none.
  String reasonOf(String strategy) {
    for (int i = 0; i < kinds.size(); i++) {
      StrategyTotal total = kinds.get(i);
      if (total.strategy.equals(strategy)) {
        return total.fellBackBecause;
      }
    }
    return null;
  }

  /// All of it, in the order in which it began.
  List<Ran> inOrder() {
    List<Ran> all = new ArrayList<>(kinds.size());
    for (StrategyTotal total : kinds) {
      all.add(new Ran(total.strategy, total.bytes, total.steps, total.fellBackBecause));
    }
    return all;
  }

  /// All of it, the largest share first.
  List<Ran> byShare() {
    List<Ran> sorted = inOrder();
    // Not Comparator.comparingLong: its serializable lambda costs 5 ms in every process, since no
    // AOT cache holds it.
    sorted.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
    return sorted;
  }

  private StrategyTotal find(String strategy, String fellBackBecause) {
    for (int i = 0; i < kinds.size(); i++) {
      StrategyTotal total = kinds.get(i);
      if (total.strategy.equals(strategy) && total.fellBackBecause.equals(fellBackBecause)) {
        return total;
      }
    }
    return null;
  }

  /// A [Ran] that grows: a record for each step would be garbage of every file of a tree.
  private static final class StrategyTotal {

    private final String strategy;
    private final String fellBackBecause;
    private long bytes;
    private long steps;

    StrategyTotal(String strategy, String fellBackBecause) {
      this.strategy = strategy;
      this.fellBackBecause = fellBackBecause;
    }
  }
}

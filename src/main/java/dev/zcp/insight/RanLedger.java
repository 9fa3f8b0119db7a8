package dev.zcp.insight;

import dev.zcp.insight.Result.Ran;
import java.util.ArrayList;
import java.util.List;

/// Adds up what ran. Guarded by its owner's lock.
final class RanLedger {

  /// A bound on what a peer's or a third party's endless choice of reasons may make us keep.
  static final int KINDS_MAX = 64;

  private static final String OTHER_REASONS = "for other reasons";

  private final List<Share> kinds = new ArrayList<>(2);

  /// Adds `bytes` and `steps` to what `strategy` moved for this reason.
  void add(String strategy, long bytes, long steps, String fellBackBecause) {
    Share tally = find(strategy, fellBackBecause);
    if (tally == null) {
      boolean isFull = kinds.size() >= KINDS_MAX;
      tally = isFull ? find(strategy, OTHER_REASONS) : null;
      if (tally == null) {
        tally = new Share(strategy, isFull ? OTHER_REASONS : fellBackBecause);
        kinds.add(tally);
      }
    }
    tally.bytes += bytes;
    tally.steps += steps;
  }

  /// @param other may be null, if nothing ran
  void addAll(RanLedger other) {
    for (int i = 0; other != null && i < other.kinds.size(); i++) {
      Share tally = other.kinds.get(i);
      add(tally.strategy, tally.bytes, tally.steps, tally.fellBackBecause);
    }
  }

  /// Why `strategy` took over when it first moved bytes, or null if it has moved none.
  String reasonOf(String strategy) {
    for (int i = 0; i < kinds.size(); i++) {
      Share tally = kinds.get(i);
      if (tally.strategy.equals(strategy)) {
        return tally.fellBackBecause;
      }
    }
    return null;
  }

  /// All of it, in the order in which it began.
  List<Ran> inOrder() {
    List<Ran> all = new ArrayList<>(kinds.size());
    for (Share tally : kinds) {
      all.add(new Ran(tally.strategy, tally.bytes, tally.steps, tally.fellBackBecause));
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

  private Share find(String strategy, String fellBackBecause) {
    for (int i = 0; i < kinds.size(); i++) {
      Share tally = kinds.get(i);
      if (tally.strategy.equals(strategy) && tally.fellBackBecause.equals(fellBackBecause)) {
        return tally;
      }
    }
    return null;
  }

  /// A [Ran] that grows: a record for each step would be garbage of every file of a tree.
  private static final class Share {

    private final String strategy;
    private final String fellBackBecause;
    private long bytes;
    private long steps;

    Share(String strategy, String fellBackBecause) {
      this.strategy = strategy;
      this.fellBackBecause = fellBackBecause;
    }
  }
}

package dev.zcp.insight;

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
    if (tally == null && kinds.size() >= KINDS_MAX) {
      tally = find(strategy, OTHER_REASONS);
      if (tally == null) {
        tally = begin(strategy, OTHER_REASONS);
      }
    }
    if (tally == null) {
      tally = begin(strategy, fellBackBecause);
    }
    tally.bytes += bytes;
    tally.steps += steps;
  }

  void addAll(RanLedger other) {
    for (int i = 0; i < other.kinds.size(); i++) {
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
    return List.copyOf(all());
  }

  /// All of it, the largest share first.
  List<Ran> byShare() {
    List<Ran> sorted = all();
    // Not Comparator.comparingLong: its serializable lambda costs 5 ms in every process, since no
    // AOT cache holds it.
    sorted.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
    return List.copyOf(sorted);
  }

  private List<Ran> all() {
    List<Ran> all = new ArrayList<>(kinds.size());
    for (Share tally : kinds) {
      all.add(new Ran(tally.strategy, tally.bytes, tally.steps, tally.fellBackBecause));
    }
    return all;
  }

  private Share begin(String strategy, String fellBackBecause) {
    Share tally = new Share(strategy, fellBackBecause);
    kinds.add(tally);
    return tally;
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

package dev.zcp.exchange;

import java.util.Map;
import java.util.TreeMap;

/// A set of numbers, kept as runs: those that follow each other take the room of one.
final class IdSet {

  /// First number of a run to its last.
  private final TreeMap<Long, Long> runs = new TreeMap<>();

  void add(long id) {
    if (contains(id)) {
      return;
    }
    long first = id;
    long last = id;
    Map.Entry<Long, Long> left = runs.lowerEntry(id);
    if (left != null && left.getValue() == id - 1) {
      first = left.getKey();
    }
    Long right = runs.remove(id + 1);
    if (right != null) {
      last = right;
    }
    runs.put(first, last);
  }

  boolean contains(long id) {
    Map.Entry<Long, Long> run = runs.floorEntry(id);
    return run != null && run.getValue() >= id;
  }

  int runs() {
    return runs.size();
  }

  void forgetFirstRun() {
    runs.pollFirstEntry();
  }
}

package dev.zcp.exchange;

import java.util.Map;
import java.util.TreeMap;

/// A set of numbers, kept as runs: those that follow each other take the room of one.
final class IdSet {

  /// First number of a run to its last.
  private final TreeMap<Long, Long> runs = new TreeMap<>();

  void add(long id) {
    if (!contains(id)) {
      add(id, 1);
    }
  }

  /// Adds `count` numbers that are not in it.
  void add(long id, int count) {
    long first = id;
    long last = id + count - 1;
    Map.Entry<Long, Long> left = runs.lowerEntry(id);
    if (left != null && left.getValue() == id - 1) {
      first = left.getKey();
    }
    Long right = runs.remove(last + 1);
    if (right != null) {
      last = right;
    }
    runs.put(first, last);
  }

  /// How many of these numbers are in it.
  long count(long id, int count) {
    long found = 0;
    Map.Entry<Long, Long> before = runs.floorEntry(id);
    long from = before == null ? id : before.getKey();
    for (Map.Entry<Long, Long> run : runs.subMap(from, true, id + count - 1, true).entrySet()) {
      long first = Math.max(id, run.getKey());
      long last = Math.min(id + count - 1, run.getValue());
      found += Math.max(0, last - first + 1);
    }
    return found;
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

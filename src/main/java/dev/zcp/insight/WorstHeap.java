package dev.zcp.insight;

import java.util.List;
import java.util.PriorityQueue;

/// The operations that took longest among those of one [Lane]. An operation that is not among them
/// costs one comparison. Guarded by the lane.
final class WorstHeap {

  private static final long NS_PER_MS = 1_000_000;

  private final int countMax;

  /// The shortest of them is its head.
  private final PriorityQueue<Kept> heap = new PriorityQueue<>();

  /// Only what takes longer is kept.
  private long keptFromNs;

  /// @param countMax how many to keep; may be 0
  WorstHeap(int countMax) {
    this.countMax = countMax;
    this.keptFromNs = countMax == 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /// @param name of the file, null if it was about none
  /// @param sharedName as the other end knows it
  private record Kept(
      Stage stage,
      Object name,
      Object sharedName,
      long offset,
      long bytes,
      long elapsedNs,
      long startedMs)
      implements Comparable<Kept> {

    @Override
    public int compareTo(Kept other) {
      return Long.compare(elapsedNs, other.elapsedNs);
    }
  }

  /// An operation has ended just now.
  void offer(Stage stage, Object name, Object sharedName, long offset, long bytes, long elapsedNs) {
    if (elapsedNs <= keptFromNs) {
      return;
    }
    if (heap.size() == countMax) {
      heap.remove();
    }
    long startedMs = System.currentTimeMillis() - elapsedNs / NS_PER_MS;
    heap.add(new Kept(stage, name, sharedName, offset, bytes, elapsedNs, startedMs));
    if (heap.size() == countMax) {
      keptFromNs = heap.element().elapsedNs;
    }
  }

  /// Adds all that are kept.
  ///
  /// @param shared whether their files are named as both ends know them
  void addTo(List<WorstOperation> all, WorkSide side, boolean shared) {
    for (Kept kept : heap) {
      String path =
          kept.name == null ? "" : shared ? kept.sharedName.toString() : kept.name.toString();
      all.add(
          new WorstOperation(
              kept.stage, side, path, kept.offset, kept.bytes, kept.elapsedNs, kept.startedMs));
    }
  }
}

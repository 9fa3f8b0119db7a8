package dev.zcp.insight;

import java.util.Arrays;
import java.util.List;

/// The operations that took longest among those of one [Lane], as a heap with the shortest of them
/// on top. An operation that is not among them costs one comparison. Guarded by the lane.
final class WorstHeap {

  /// Lanes have room for so many at first.
  private static final int ROOM_FIRST = 16;

  private static final long NS_PER_MS = 1_000_000;

  private final int countMax;
  private Kept[] heap = {};
  private int count;

  /// @param countMax how many to keep; may be 0
  WorstHeap(int countMax) {
    this.countMax = countMax;
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
      long startedMs) {}

  /// An operation has ended just now.
  void offer(Stage stage, Object name, Object sharedName, long offset, long bytes, long elapsedNs) {
    if (count == countMax && (count == 0 || elapsedNs <= heap[0].elapsedNs())) {
      return;
    }
    long startedMs = System.currentTimeMillis() - elapsedNs / NS_PER_MS;
    Kept kept = new Kept(stage, name, sharedName, offset, bytes, elapsedNs, startedMs);
    if (count == countMax) {
      sink(kept);
      return;
    }
    if (count == heap.length) {
      heap = Arrays.copyOf(heap, Math.clamp(2L * count, Math.min(ROOM_FIRST, countMax), countMax));
    }
    rise(kept);
  }

  /// Adds all that are kept.
  ///
  /// @param shared whether their files are named as both ends know them
  void addTo(List<WorstOperation> all, WorkSide side, boolean shared) {
    for (int i = 0; i < count; i++) {
      Kept kept = heap[i];
      String path =
          kept.name == null ? "" : shared ? kept.sharedName.toString() : kept.name.toString();
      all.add(
          new WorstOperation(
              kept.stage, side, path, kept.offset, kept.bytes, kept.elapsedNs, kept.startedMs));
    }
  }

  private void rise(Kept kept) {
    int at = count++;
    while (at > 0 && heap[(at - 1) / 2].elapsedNs() > kept.elapsedNs()) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = kept;
  }

  /// In place of the top.
  private void sink(Kept kept) {
    int at = 0;
    for (int child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && heap[child + 1].elapsedNs() < heap[child].elapsedNs()) {
        child++;
      }
      if (heap[child].elapsedNs() >= kept.elapsedNs()) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = kept;
  }
}

package dev.zcp.exchange;

import dev.zcp.wire.Rejection;
import java.util.HashMap;
import java.util.Map;

/// Small files that go together in one [dev.zcp.wire.Part], as their sender knows them until they
/// are over. Whoever has the files extends this by what it knows of them.
///
/// What is not final belongs to the [SendingEnd], and stays as it is once the part is over.
public abstract class SentPart {

  /// The id of its first file; -1 as long as it was not said.
  long firstId = -1;

  /// How many files it has.
  private int count;

  /// Of each file: see [FileHash].
  private long[] hashes;

  private int[] sizes;

  /// What the receiver did not take, by the index of the file. Nearly always nothing.
  private Map<Integer, Rejection> rejections = Map.of();

  /// Those of the directories that the files are in, which were offered.
  protected abstract long[] directoryIds();

  /// The raw bytes that it may have.
  protected abstract long bytes();

  /// Whether it was said before, and so must have the same files again.
  public final boolean wasSaid() {
    return firstId >= 0;
  }

  /// That of a file, once it was said.
  public final long fileId(int index) {
    return firstId + index;
  }

  /// Why the receiver did not take a file; null if it did.
  public final Rejection rejection(int index) {
    return rejections.isEmpty() ? null : rejections.get(index);
  }

  void begin(long newFirstId, long[] newHashes, int[] newSizes) {
    firstId = newFirstId;
    count = newHashes.length;
    hashes = newHashes;
    sizes = newSizes;
  }

  int count() {
    return count;
  }

  boolean has(long fileId) {
    return firstId >= 0 && fileId >= firstId && fileId < firstId + count;
  }

  boolean isIn(long directoryId) {
    for (long each : directoryIds()) {
      if (each == directoryId) {
        return true;
      }
    }
    return false;
  }

  void reject(Rejection rejection) {
    rejections = rejections.isEmpty() ? new HashMap<>() : rejections;
    rejections.put((int) (rejection.fileId() - firstId), rejection);
  }

  /// Adds the files that the receiver took.
  ///
  /// @return how many
  int addTo(TreeDigest tree) {
    int taken = 0;
    for (int i = 0; i < count; i++) {
      if (rejections.isEmpty() || !rejections.containsKey(i)) {
        tree.add(hashes[i], sizes[i]);
        taken++;
      }
    }
    return taken;
  }
}

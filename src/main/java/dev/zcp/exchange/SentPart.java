package dev.zcp.exchange;

import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Wanted;
import dev.zcp.wire.Wants.Want;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Small files that go together in one [dev.zcp.wire.Part], as their sender knows them until they
/// are over. Whoever has the files extends this by what it knows of them.
///
/// What is not final belongs to the [SendingEnd], and stays as it is once the part is over.
public abstract class SentPart {

  /// The id of its first file; -1 as long as it was not said.
  long firstId = -1;

  /// How many files it has, once that was said.
  private int count;

  /// -1 as long as it was not asked about.
  private long lookNumber = -1;

  /// What the receiver wants of each file; null if it was not asked.
  private Want[] wants;

  /// Whether nothing is to be asked about it.
  private boolean isLooked;

  /// Of each file: see [FileHash].
  private long[] hashes;

  private int[] sizes;

  /// What the receiver did not take, by the index of the file. Nearly always nothing.
  private Map<Integer, Rejection> rejections = Map.of();

  /// Those of the directories that the files are in, which were offered; or
  /// [dev.zcp.wire.Part#OWN_DIRECTORY].
  protected abstract long[] directoryIds();

  /// Whether the answer to a look may be that a file is over. Any thread may ask.
  protected abstract boolean mayBeKept(int index);

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

  /// What the receiver wants of a file: all, if it was not asked.
  public final Want want(int index) {
    return wants == null ? Want.BYTES : wants[index];
  }

  /// The receiver wants all bytes of its files, and need not be asked.
  public final void wantAll() {
    isLooked = true;
  }

  /// The file at `from` is the one at `to` from now on.
  protected final void moveWant(int from, int to) {
    if (wants != null) {
      wants[to] = wants[from];
    }
  }

  /// Its files are those of `whole` from `index` on, about which the receiver was asked.
  protected final void isRestOf(SentPart whole, int index) {
    wants = whole.wants == null ? null : Arrays.copyOfRange(whole.wants, index, whole.wants.length);
    isLooked = whole.isLooked;
  }

  /// Why the receiver did not take a file; null if it did, or if it keeps what exists in place of
  /// one of which it wants [nothing][Want#NOTHING].
  public final Rejection rejection(int index) {
    return rejections.isEmpty() ? null : rejections.get(index);
  }

  boolean isLooked() {
    return isLooked;
  }

  /// The receiver is about to be asked; perhaps once more, since the connection was lost.
  ///
  /// @param next the number of the next look
  /// @return the number of this one: the same for the same files
  long looking(int files, long next) {
    if (lookNumber < 0 || files != count) {
      lookNumber = next;
    }
    count = files;
    return lookNumber;
  }

  void answered(Want[] answer) throws ProtocolException {
    if (answer.length != count) {
      throw new ProtocolException("an answer for " + answer.length + " files, of " + count);
    }
    for (int i = 0; i < count; i++) {
      if (answer[i] == Want.KEPT && !mayBeKept(i)) {
        throw new ProtocolException("a file that is kept at a look, and was to come in any case");
      }
    }
    wants = answer;
    isLooked = true;
  }

  void begin(long newFirstId, long[] newHashes, int[] newSizes) {
    firstId = newFirstId;
    count = newHashes.length;
    hashes = newHashes;
    sizes = newSizes;
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

  void reject(Rejection rejection) throws ProtocolException {
    int index = (int) (rejection.fileId() - firstId);
    if (rejection instanceof Again || rejection instanceof Wanted && want(index) != Want.DIGEST) {
      throw new ProtocolException(
          "a verdict on file " + rejection.fileId() + " that does not fit it");
    }
    rejections = rejections.isEmpty() ? new HashMap<>() : rejections;
    rejections.put(index, rejection);
  }

  /// Whether the receiver keeps what exists in place of one of the files, and did not say so.
  boolean isAnyKept() {
    for (int i = 0; i < count; i++) {
      if (want(i) == Want.NOTHING && rejection(i) == null) {
        return true;
      }
    }
    return false;
  }

  /// Adds the files that the receiver took.
  ///
  /// @return how many
  int addTo(TreeDigest tree) {
    int taken = 0;
    for (int i = 0; i < count; i++) {
      if (want(i) != Want.NOTHING && rejection(i) == null) {
        tree.add(hashes[i], sizes[i]);
        taken++;
      }
    }
    return taken;
  }
}

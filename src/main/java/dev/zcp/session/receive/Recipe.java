package dev.zcp.session.receive;

import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The chunks that a file is to have, in its order, as its sender tells of them; and those of
/// another version of it. Belongs to one thread at a time.
final class Recipe {

  private final Bytes seed;
  private long[] digests = new long[64];
  private long[] offsets = new long[64];
  private int[] lengths = new int[64];
  private int count;

  /// Null until they are [found][#found].
  private BaseChunks base;

  Recipe(Bytes seed) {
    this.seed = seed;
  }

  /// Whether these are the next chunks. A sender that lost its connection begins anew, perhaps with
  /// the same seed; then they are not.
  boolean goesOnWith(Chunks chunks) {
    return seed.equals(chunks.seed())
        && (count == 0 || chunks.offset() >= offsets[count - 1] + lengths[count - 1]);
  }

  byte[] seed() {
    return seed.bytes();
  }

  int count() {
    return count;
  }

  long digest(int chunk) {
    return digests[chunk];
  }

  long offset(int chunk) {
    return offsets[chunk];
  }

  int length(int chunk) {
    return lengths[chunk];
  }

  void add(Chunks chunks) {
    grow(count + chunks.count());
    long offset = chunks.offset();
    for (ByteBuffer each = chunks.each(); each.hasRemaining(); count++) {
      offsets[count] = offset;
      lengths[count] = each.getInt();
      digests[count] = each.getLong();
      offset += lengths[count];
    }
  }

  private void grow(int least) {
    if (least > digests.length) {
      int length = Math.max(least, 2 * digests.length);
      digests = Arrays.copyOf(digests, length);
      offsets = Arrays.copyOf(offsets, length);
      lengths = Arrays.copyOf(lengths, length);
    }
  }

  /// The other version was cut.
  void found(BaseChunks chunks) {
    base = chunks;
  }

  BaseChunks base() {
    return base;
  }

  /// How many chunks are remembered in all.
  int remembered() {
    return count + (base == null ? 0 : base.count());
  }
}

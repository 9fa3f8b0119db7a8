package dev.zcp.session.receive;

import dev.zcp.core.SipHash;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The chunks that a file is to have, as its sender tells of them, found by their digests. Belongs
/// to one thread at a time.
final class Recipe {

  /// Hears where a chunk belongs.
  interface ChunkPlace {
    void at(long offset) throws IOException;
  }

  private static final int NONE = -1;

  /// Odd, and of this process.
  private static final long MIX = SipHash.own(0, new byte[0]) | 1;

  private final Bytes seed;
  private long[] digests = new long[64];
  private long[] offsets = new long[64];
  private int[] lengths = new int[64];
  private int count;

  /// By digest and length, mixed: the first chunk, or [#NONE]. Null before it is asked for.
  private int[] first;

  /// The next chunk of the same bucket.
  private int[] next;

  Recipe(Bytes seed) {
    this.seed = seed;
  }

  boolean isOf(Chunks chunks) {
    return seed.equals(chunks.seed());
  }

  byte[] seed() {
    return seed.bytes();
  }

  int count() {
    return count;
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

  /// Tells all places of a chunk, each of them once.
  ///
  /// @throws IOException as `place` does; the places after that are not told
  void take(long digest, int length, ChunkPlace place) throws IOException {
    if (first == null) {
      index();
    }
    int bucket = bucket(digest, length);
    int before = NONE;
    for (int i = first[bucket]; i != NONE; i = next[i]) {
      if (digests[i] != digest || lengths[i] != length) {
        before = i;
        continue;
      }
      if (before == NONE) {
        first[bucket] = next[i];
      } else {
        next[before] = next[i];
      }
      place.at(offsets[i]);
    }
  }

  /// In such an order that the places of a chunk come from the first to the last.
  private void index() {
    first = new int[Integer.highestOneBit(Math.max(1, count)) << 1];
    next = new int[count];
    Arrays.fill(first, NONE);
    for (int i = count - 1; i >= 0; i--) {
      int bucket = bucket(digests[i], lengths[i]);
      next[i] = first[bucket];
      first[bucket] = i;
    }
  }

  /// A sender cannot tell which chunks share one, so it cannot make one of them long.
  private int bucket(long digest, int length) {
    return (int) ((digest + length) * MIX >>> Long.SIZE - 31) & first.length - 1;
  }
}

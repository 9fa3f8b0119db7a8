package dev.zcp.session.receive;

import dev.zcp.core.SipHash;
import java.util.Arrays;

/// Chunks of a file, found by their digests. Belongs to one thread at a time.
final class FileChunks {

  static final int NONE = -1;

  /// Odd, and of this process.
  private static final long MIX = SipHash.own(0, new byte[0]) | 1;

  private long[] digests = new long[64];
  private long[] offsets = new long[64];
  private int[] lengths = new int[64];
  private int[] crcs = new int[64];
  private int count;

  /// By digest and length, mixed: the last chunk of a bucket, or [#NONE].
  private int[] last = buckets(64);

  /// The chunk before in the same bucket.
  private int[] before = new int[64];

  private static int[] buckets(int count) {
    int[] buckets = new int[count];
    Arrays.fill(buckets, NONE);
    return buckets;
  }

  void add(long offset, int length, long digest, int crc32c) {
    if (count == digests.length) {
      grow();
    }
    digests[count] = digest;
    offsets[count] = offset;
    lengths[count] = length;
    crcs[count] = crc32c;
    link(count++);
  }

  private void grow() {
    digests = Arrays.copyOf(digests, 2 * count);
    offsets = Arrays.copyOf(offsets, 2 * count);
    lengths = Arrays.copyOf(lengths, 2 * count);
    crcs = Arrays.copyOf(crcs, 2 * count);
    before = new int[2 * count];
    last = buckets(2 * count);
    for (int chunk = 0; chunk < count; chunk++) {
      link(chunk);
    }
  }

  /// Of chunks that are the same only one is found, or a file of many could make each search long.
  private void link(int chunk) {
    if (find(digests[chunk], lengths[chunk], NONE) == NONE) {
      int bucket = bucket(digests[chunk], lengths[chunk]);
      before[chunk] = last[bucket];
      last[bucket] = chunk;
    }
  }

  int count() {
    return count;
  }

  /// @param guess the chunk that is looked at first, if there is such a one
  /// @return the number of a chunk, or [#NONE]
  int find(long digest, int length, int guess) {
    if (guess != NONE && guess < count && is(guess, digest, length)) {
      return guess;
    }
    int found = last[bucket(digest, length)];
    while (found != NONE && !is(found, digest, length)) {
      found = before[found];
    }
    return found;
  }

  private boolean is(int chunk, long digest, int length) {
    return digests[chunk] == digest && lengths[chunk] == length;
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

  int crc32c(int chunk) {
    return crcs[chunk];
  }

  /// Nobody can tell which chunks share one, so nobody can make one of them long.
  private int bucket(long digest, int length) {
    return (int) ((digest + length) * MIX >>> Long.SIZE - 31) & last.length - 1;
  }
}

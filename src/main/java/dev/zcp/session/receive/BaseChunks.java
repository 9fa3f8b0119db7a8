package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.SipHash;
import dev.zcp.core.Span;
import dev.zcp.delta.ChunkReader;
import dev.zcp.delta.Chunking;
import dev.zcp.insight.Stage;
import dev.zcp.linux.NativeFile;
import dev.zcp.secure.Cryptography;
import dev.zcp.tree.DataExtents;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/// The chunks of another version of a file, found by their digests. Belongs to one thread at a
/// time.
final class BaseChunks {

  static final int NONE = -1;

  /// Odd, and of this process.
  private static final long MIX = SipHash.own(0, new byte[0]) | 1;

  private long[] digests = new long[64];
  private long[] offsets = new long[64];
  private int[] lengths = new int[64];
  private int[] crcs = new int[64];
  private int count;

  /// By digest and length, mixed: the first chunk, or [#NONE]. Null before it is asked for.
  private int[] first;

  /// The next chunk of the same bucket.
  private int[] next;

  /// When the chunk began to be read that comes next.
  private long readingNs;

  /// Reads `base`, and remembers its chunks. If it cannot be read to its end, they are those
  /// before.
  ///
  /// @param seed of the digests
  /// @param work hears of it; what it throws ends it
  /// @param goesOn asked before each chunk is remembered; false ends it
  void cut(NativeFile base, Chunking chunking, byte[] seed, FileWork work, BooleanSupplier goesOn) {
    readingNs = System.nanoTime();
    ChunkReader reader = new ChunkReader(Cryptography.sha256());
    try {
      DataExtents extents = new DataExtents(base, base.status().sizeBytes());
      for (Span data = extents.next(); data != null; data = extents.next()) {
        reader.read(
            base,
            data,
            chunking,
            seed,
            (offset, chunk, digest) -> {
              boolean wanted = goesOn.getAsBoolean();
              if (wanted) {
                add(offset, chunk.remaining(), digest, Crc32c.of(chunk));
              }
              work.sample(Stage.DIGEST, System.nanoTime() - readingNs);
              work.goesOn();
              readingNs = System.nanoTime();
              return wanted;
            });
      }
    } catch (IOException e) {
      // See above.
    }
  }

  private void add(long offset, int length, long digest, int crc32c) {
    if (count == digests.length) {
      digests = Arrays.copyOf(digests, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
      crcs = Arrays.copyOf(crcs, 2 * count);
    }
    digests[count] = digest;
    offsets[count] = offset;
    lengths[count] = length;
    crcs[count++] = crc32c;
  }

  int count() {
    return count;
  }

  /// @param guess the chunk that is looked at first, if there is such a one
  /// @return the number of a chunk, or [#NONE]
  int find(long digest, int length, int guess) {
    if (guess < count && is(guess, digest, length)) {
      return guess;
    }
    if (first == null) {
      index();
    }
    int found = first[bucket(digest, length)];
    while (found != NONE && !is(found, digest, length)) {
      found = next[found];
    }
    return found;
  }

  private boolean is(int chunk, long digest, int length) {
    return digests[chunk] == digest && lengths[chunk] == length;
  }

  long offset(int chunk) {
    return offsets[chunk];
  }

  int crc32c(int chunk) {
    return crcs[chunk];
  }

  /// Of chunks that are the same only one is found, or a file of many could make each search long.
  private void index() {
    first = new int[Integer.highestOneBit(Math.max(1, count)) << 1];
    next = new int[count];
    Arrays.fill(first, NONE);
    for (int i = 0; i < count; i++) {
      int bucket = bucket(digests[i], lengths[i]);
      if (find(digests[i], lengths[i], count) == NONE) {
        next[i] = first[bucket];
        first[bucket] = i;
      }
    }
  }

  /// Nobody can tell which chunks share one, so nobody can make one of them long.
  private int bucket(long digest, int length) {
    return (int) ((digest + length) * MIX >>> Long.SIZE - 31) & first.length - 1;
  }
}

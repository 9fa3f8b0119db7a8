package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import dev.zcp.delta.ChunkReader;
import dev.zcp.delta.Chunking;
import dev.zcp.insight.Stage;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.PageCache;
import dev.zcp.secure.Cryptography;
import dev.zcp.tree.DataExtents;
import dev.zcp.wire.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Puts together a file from the chunks of it that another one has. What was copied is read again
/// and compared with what was found, since the other file may be written to meanwhile. Used by one
/// thread.
final class Rebuilding {

  /// What is copied, shared or noted at once, at most.
  private static final long RUN_BYTES_MAX = 16 << 20;

  private static final int COPY_BYTES = 256 << 10;

  private final ResumableFile file;
  private final Recipe recipe;
  private final long size;
  private final FileWork work;

  /// What there is of the file: what was held, then what was taken.
  private final List<Held> taken;

  /// What was held, by the offsets.
  private final NavigableMap<Long, Span> held = new TreeMap<>();

  /// The run of chunks that follow each other in both files, and is not copied yet.
  private long runFrom;

  private long runTo;
  private long runBytes;
  private int runCrc32c;

  /// When the chunk began to be read that comes next.
  private long readingNs;

  /// Null before it is needed.
  private ByteBuffer piece;

  Rebuilding(ResumableFile file, Recipe recipe, long size, FileWork work) {
    this.file = file;
    this.recipe = recipe;
    this.size = size;
    this.work = work;
    this.taken = new ArrayList<>(file.held());
    file.held().forEach(each -> held.put(each.span().offset(), each.span()));
  }

  /// Takes what `base` has.
  ///
  /// If that ends early, since one of them cannot be read or written, so does this: what is missing
  /// comes from the sender, and tells why it cannot be written.
  void take(NativeFile base) {
    try {
      takeAll(base);
    } catch (IOException e) {
      // See above.
    }
  }

  private void takeAll(NativeFile base) throws IOException {
    readingNs = System.nanoTime();
    ChunkReader reader = new ChunkReader(Cryptography.sha256());
    DataExtents extents = new DataExtents(base, base.status().sizeBytes());
    for (Span data = extents.next(); data != null; data = extents.next()) {
      reader.read(
          base,
          data,
          Chunking.of(size),
          recipe.seed(),
          (offset, chunk, digest) -> {
            work.sample(Stage.DIGEST, System.nanoTime() - readingNs);
            int crc32c = Crc32c.of(chunk.duplicate());
            int length = chunk.remaining();
            recipe.take(
                digest,
                length,
                place -> {
                  if (!isHeld(place, length)) {
                    add(base, offset, place, length, crc32c);
                  }
                });
            work.goesOn();
            readingNs = System.nanoTime();
            return true;
          });
    }
    copyRun(base);
  }

  /// All that there is of it now, as [ResumableFile#held] has it.
  List<Held> held() {
    taken.sort(Comparator.comparingLong(each -> each.span().offset()));
    return HeldBytes.joined(taken, size);
  }

  private boolean isHeld(long offset, int length) {
    Map.Entry<Long, Span> before = held.lowerEntry(offset + length);
    return before != null && before.getValue().end() > offset;
  }

  private void add(NativeFile base, long from, long to, int length, int crc32c) throws IOException {
    boolean follows =
        runBytes > 0
            && from == runFrom + runBytes
            && to == runTo + runBytes
            && runBytes < RUN_BYTES_MAX;
    if (!follows) {
      copyRun(base);
      runFrom = from;
      runTo = to;
      runCrc32c = 0;
    }
    runCrc32c = Crc32c.combined(runCrc32c, crc32c, length);
    runBytes += length;
  }

  private void copyRun(NativeFile base) throws IOException {
    Span run = new Span(runTo, runBytes);
    runBytes = 0;
    if (run.isEmpty()) {
      return;
    }
    copy(base, runFrom, run);
    boolean isThere = file.file().status().sizeBytes() >= run.end();
    if (isThere && ReadBack.crc32c(file.file(), run, work) == runCrc32c) {
      file.append(run, runCrc32c);
      taken.add(new Held(run, runCrc32c));
    }
  }

  /// A file system that shares blocks does so from the first whole one on.
  private void copy(NativeFile base, long from, Span run) throws IOException {
    long misaligned = from % PageCache.ALIGNMENT_BYTES;
    long head =
        misaligned == 0 ? 0 : Math.min(run.length(), PageCache.ALIGNMENT_BYTES - misaligned);
    copyBytes(base, from, run.first(head));
    for (Span rest = run.skip(head); !rest.isEmpty(); ) {
      long at = from + (rest.offset() - run.offset());
      long copied = base.copyTo(file.file(), at, rest.offset(), rest.length());
      if (copied < 1) {
        copyBytes(base, at, rest);
        return;
      }
      rest = rest.skip(copied);
    }
  }

  private void copyBytes(NativeFile base, long from, Span to) throws IOException {
    if (piece == null) {
      piece = ByteBuffer.allocateDirect(COPY_BYTES);
    }
    for (Span rest = to; !rest.isEmpty(); ) {
      piece.clear().limit((int) Math.min(COPY_BYTES, rest.length()));
      int count = base.read(piece, from + (rest.offset() - to.offset()));
      if (count < 1) {
        // It is shorter than it was, and what is compared then differs.
        return;
      }
      Writing.all(file.file(), piece.flip(), rest.offset());
      rest = rest.skip(count);
    }
  }
}

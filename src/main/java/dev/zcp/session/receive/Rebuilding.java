package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.linux.NativeFile;
import dev.zcp.wire.Held;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Puts together a file from the chunks of it that another one has. What is copied is compared with
/// what was found, since the other file may be written to meanwhile; what is shared is read again.
/// Used by one thread.
final class Rebuilding {

  /// What is copied, shared or noted at once, at most.
  private static final long RUN_BYTES_MAX = 16 << 20;

  /// File systems share whole blocks, of this length or shorter.
  private static final int BLOCK_BYTES = 4096;

  private static final int COPY_BYTES = 256 << 10;

  private final ResumableFile file;
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

  /// Whether the file system may share blocks of the two files: unknown before it is tried.
  private boolean shares = true;

  /// Null before it is needed.
  private ByteBuffer piece;

  Rebuilding(ResumableFile file, long size, FileWork work) {
    this.file = file;
    this.size = size;
    this.work = work;
    this.taken = new ArrayList<>(file.held());
    file.held().forEach(each -> held.put(each.span().offset(), each.span()));
  }

  /// Takes what `base` has.
  ///
  /// If that ends early, since one of them cannot be read or written, so does this: what is missing
  /// comes from the sender, and tells why it cannot be written.
  void take(NativeFile base, Recipe recipe) {
    try {
      int last = BaseChunks.NONE;
      for (int i = 0; i < recipe.count(); i++) {
        int length = recipe.length(i);
        int found = recipe.base().find(recipe.digest(i), length, last + 1);
        if (found != BaseChunks.NONE && !isHeld(recipe.offset(i), length)) {
          int crc32c = recipe.base().crc32c(found);
          add(base, recipe.base().offset(found), recipe.offset(i), length, crc32c);
        }
        last = found;
      }
      copyRun(base);
    } catch (IOException e) {
      // See above.
    }
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
    if (!run.isEmpty() && copied(base, runFrom, run) == runCrc32c) {
      file.append(run, runCrc32c);
      taken.add(new Held(run, runCrc32c));
    }
  }

  /// Copies a run, or shares it.
  ///
  /// @return the CRC32C of what is in the file now
  private int copied(NativeFile base, long from, Span run) throws IOException {
    int crc32c = 0;
    for (Span rest = run; !rest.isEmpty(); ) {
      long at = from + (rest.offset() - run.offset());
      Held done = next(base, at, rest);
      crc32c = Crc32c.combined(crc32c, done.crc32c(), done.span().length());
      rest = rest.skip(done.span().length());
      work.goesOn();
    }
    return crc32c;
  }

  /// @return what of `to` is done: its beginning
  private Held next(NativeFile base, long from, Span to) throws IOException {
    long head = -from & BLOCK_BYTES - 1;
    boolean isAligned = head == (-to.offset() & BLOCK_BYTES - 1);
    if (shares && isAligned && to.length() >= head + BLOCK_BYTES) {
      if (head > 0) {
        return copy(base, from, to.first(head));
      }
      Span blocks = to.first(to.length() - to.length() % BLOCK_BYTES);
      shares = base.share(file.file(), from, blocks);
      if (shares) {
        return new Held(blocks, ReadBack.crc32c(file.file(), blocks, work));
      }
    }
    return copy(base, from, to.first(Math.min(COPY_BYTES, to.length())));
  }

  /// What is compared is what is written, so that it need not be read again.
  private Held copy(NativeFile base, long from, Span to) throws IOException {
    if (piece == null) {
      piece = ByteBuffer.allocateDirect(COPY_BYTES);
    }
    long startedNs = System.nanoTime();
    piece.clear().limit((int) to.length());
    while (piece.hasRemaining()) {
      if (base.read(piece, from + piece.position()) < 1) {
        throw new EOFException("it is shorter than it was");
      }
    }
    int crc32c = Crc32c.of(piece.flip());
    file.file().writeAll(piece, to.offset());
    work.sample(Stage.COPY, System.nanoTime() - startedNs);
    return new Held(to, crc32c);
  }
}

package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import dev.zcp.delta.ChunkReader;
import dev.zcp.delta.Chunking;
import dev.zcp.insight.Stage;
import dev.zcp.linux.NativeFile;
import dev.zcp.secure.Cryptography;
import dev.zcp.tree.DataExtents;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Held;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Puts together a file from what another one has of it, as its sender tells what chunks it has.
///
/// A chunk is looked for where the other file goes on as this one does: what was read to compare it
/// is what is written. If something else is there, the other file is cut about as far as the sender
/// has come, and what was cut so far is searched. What was not found is looked for once more when
/// all is told, and all of the other file was cut.
///
/// What is copied later is compared with what was found, since the other file may be written to
/// meanwhile; what is shared is read again. Used by one thread at a time.
final class Rebuilding implements Closeable {

  /// What is copied, shared or noted at once, at most.
  private static final long RUN_BYTES_MAX = 16 << 20;

  /// File systems share whole blocks, of this length or shorter.
  private static final int BLOCK_BYTES = 4096;

  private static final ThreadLocal<ChunkReader> READER =
      ThreadLocal.withInitial(() -> new ChunkReader(Cryptography.sha256(), Cryptography.aesGcm()));

  private final ResumableFile file;
  private final long size;
  private final Chunking chunking;
  private final Budget.Share room;
  private final FileWork work;

  /// What there is of the file: what was held, then what was taken.
  private final List<Held> there;

  /// The same, by the offsets.
  private final NavigableMap<Long, Span> spans = new TreeMap<>();

  /// Of the chunks that are told; null before the first of them.
  private Bytes seed;

  /// Those of the other file, as far as it was cut.
  private FileChunks found = new FileChunks();

  /// Those that were told and not found.
  private FileChunks missing = new FileChunks();

  /// How far the other file was cut.
  private long cutTo;

  /// Where the run of data ends in which it was cut last. Some file systems look at all of the run
  /// to find that.
  private long dataEnd;

  /// Where the last chunk that was found ends in the other file, and where in this one.
  private long foundEnd;

  private long end;

  /// The number of the chunk behind the last one that was found.
  private int guess;

  // The run of chunks that follow each other in both files, and is not copied yet.
  private long runFrom;
  private long runTo;
  private long runBytes;
  private int runCrc32c;

  /// Whether the file system may share blocks of the two files: unknown before it is tried.
  private boolean shares = true;

  // The other file, while chunks are taken from it.
  private NativeFile base;
  private ChunkReader reader;
  private DataExtents extents;

  /// @param room for chunks that are remembered. Of those that have none, nothing is found later
  Rebuilding(ResumableFile file, long size, Budget.Share room, FileWork work) {
    this.file = file;
    this.size = size;
    this.chunking = Chunking.of(size);
    this.room = room;
    this.work = work;
    this.there = new ArrayList<>(file.held());
    there.forEach(each -> spans.put(each.span().offset(), each.span()));
  }

  /// Whether something comes of these chunks: a sender that has no use for differences tells of
  /// none.
  boolean usesAny(Chunks chunks) {
    return chunks.count() > 0 || missing.count() > 0;
  }

  /// Takes what `from` has of the chunks.
  ///
  /// If that ends early, since one of the files cannot be read or written, so does this: what is
  /// missing comes from the sender, and tells why it cannot be written.
  ///
  /// @param from another version of the file, the same as for the chunks before
  void take(NativeFile from, Chunks chunks) {
    if (!chunks.seed().equals(seed)) {
      begin(chunks.seed());
    }
    base = from;
    reader = READER.get();
    reader.open(base, chunking, seed.bytes());
    try {
      extents = new DataExtents(base, base.status().sizeBytes(), Math.max(cutTo, dataEnd));
      if (cutTo < dataEnd) {
        reader.begin(new Span(cutTo, dataEnd - cutTo));
      }
      long offset = chunks.offset();
      for (ByteBuffer each = chunks.each(); each.hasRemaining(); ) {
        int length = Chunks.takeLength(each);
        take(offset, length, each.getLong());
        offset += length;
      }
      if (chunks.isLast()) {
        takeMissing();
      }
      copyRun();
    } catch (IOException e) {
      // See above.
    } finally {
      runBytes = 0;
      cutTo = Math.max(cutTo, reader.offset());
    }
  }

  /// All that there is of it now, as [ResumableFile#held] has it.
  List<Held> held() {
    there.sort((one, other) -> Long.compare(one.span().offset(), other.span().offset()));
    return HeldBytes.joined(there, size);
  }

  /// Forgets the chunks.
  @Override
  public void close() {
    begin(null);
  }

  /// Others are told now.
  private void begin(Bytes newSeed) {
    room.giveBack(found.count() + missing.count());
    seed = newSeed;
    found = new FileChunks();
    missing = new FileChunks();
    cutTo = 0;
    dataEnd = 0;
    foundEnd = 0;
    end = 0;
    guess = 0;
  }

  private void take(long offset, int length, long digest) throws IOException {
    long expected = foundEnd + (offset - end);
    if (isMore() && reader.offset() == expected && isNext(length, digest)) {
      return;
    }
    int chunk = found.find(digest, length, guess);
    if (chunk == FileChunks.NONE) {
      while (isMore() && reader.offset() < expected + length) {
        cutNext();
      }
      chunk = found.find(digest, length, guess);
    }
    if (chunk != FileChunks.NONE) {
      take(offset, chunk);
    } else if (room.take(1)) {
      missing.add(offset, length, digest, 0);
    }
  }

  private void takeMissing() throws IOException {
    while (missing.count() > 0 && isMore()) {
      cutNext();
    }
    for (int i = 0; i < missing.count(); i++) {
      int chunk = found.find(missing.digest(i), missing.length(i), guess);
      if (chunk != FileChunks.NONE) {
        take(missing.offset(i), chunk);
      }
    }
  }

  private void take(long offset, int chunk) throws IOException {
    guess = chunk + 1;
    add(found.offset(chunk), offset, found.length(chunk), found.crc32c(chunk));
  }

  /// Whether the other file has another chunk; then as much of it was read as a chunk may have.
  private boolean isMore() throws IOException {
    while (reader.isAtEnd() || reader.isLow()) {
      copyRunUnlessShared();
      long startedNs = System.nanoTime();
      if (!reader.isAtEnd()) {
        reader.fill();
      } else {
        Span data = extents.next();
        if (data == null) {
          return false;
        }
        reader.begin(data);
        dataEnd = data.end();
      }
      work.sample(Stage.DIGEST, System.nanoTime() - startedNs);
    }
    return true;
  }

  /// Takes the chunk if it comes next in the other file.
  private boolean isNext(int length, long digest) throws IOException {
    long startedNs = System.nanoTime();
    boolean isNext = reader.there() >= length && reader.digest(length) == digest;
    if (isNext) {
      long from = reader.offset();
      long to = end + (from - foundEnd);
      int crc32c = pass(length, digest, startedNs);
      guess = found.count();
      add(from, to, length, crc32c);
    }
    return isNext;
  }

  private void cutNext() throws IOException {
    copyRunUnlessShared();
    long startedNs = System.nanoTime();
    int length = reader.cut();
    pass(length, reader.digest(length), startedNs);
  }

  private int pass(int length, long digest, long startedNs) {
    long offset = reader.offset();
    int crc32c = Crc32c.of(reader.take(length));
    if (room.take(1)) {
      found.add(offset, length, digest, crc32c);
    }
    work.sample(Stage.DIGEST, System.nanoTime() - startedNs);
    work.goesOn();
    return crc32c;
  }

  private void add(long from, long to, int length, int crc32c) throws IOException {
    foundEnd = from + length;
    end = to + length;
    if (isThere(to, length)) {
      return;
    }
    boolean follows =
        runBytes > 0
            && from == runFrom + runBytes
            && to == runTo + runBytes
            && runBytes < RUN_BYTES_MAX;
    if (!follows) {
      copyRun();
      runFrom = from;
      runTo = to;
      runCrc32c = 0;
    }
    runCrc32c = Crc32c.combined(runCrc32c, crc32c, length);
    runBytes += length;
  }

  private boolean isThere(long offset, int length) {
    Map.Entry<Long, Span> before = spans.lowerEntry(offset + length);
    return before != null && before.getValue().end() > offset;
  }

  /// To be called while the last bytes of the run are in memory yet.
  private void copyRunUnlessShared() throws IOException {
    if (!isShareable()) {
      copyRun();
    }
  }

  private boolean isShareable() {
    return shares && (runFrom - runTo) % BLOCK_BYTES == 0;
  }

  private void copyRun() throws IOException {
    Span run = new Span(runTo, runBytes);
    Span read = new Span(runFrom, runBytes);
    runBytes = 0;
    if (run.isEmpty()) {
      return;
    }
    ByteBuffer bytes = isShareable() ? null : reader.taken(read);
    if (bytes != null) {
      write(bytes, run);
    } else if (copied(read.offset(), run) != runCrc32c) {
      return;
    }
    file.append(run, runCrc32c);
    note(new Held(run, runCrc32c));
  }

  private void note(Held taken) {
    Held last = there.isEmpty() ? null : there.getLast();
    Held joined = taken;
    if (last != null && last.isJoinedBy(taken, RUN_BYTES_MAX)) {
      there.removeLast();
      joined = last.joinedBy(taken);
    }
    there.add(joined);
    spans.put(joined.span().offset(), joined.span());
  }

  private void write(ByteBuffer bytes, Span to) throws IOException {
    long startedNs = System.nanoTime();
    file.file().writeAll(bytes, to.offset());
    work.sample(Stage.COPY, System.nanoTime() - startedNs);
  }

  /// Copies a run, or shares it.
  ///
  /// @return the CRC32C of what is in the file now
  private int copied(long from, Span run) throws IOException {
    int crc32c = 0;
    for (Span rest = run; !rest.isEmpty(); ) {
      long at = from + (rest.offset() - run.offset());
      Held done = next(at, rest);
      crc32c = Crc32c.combined(crc32c, done.crc32c(), done.span().length());
      rest = rest.skip(done.span().length());
      work.goesOn();
    }
    return crc32c;
  }

  /// @return what of `to` is done: its beginning
  private Held next(long from, Span to) throws IOException {
    long head = -from & BLOCK_BYTES - 1;
    boolean isAligned = (from - to.offset()) % BLOCK_BYTES == 0;
    if (shares && isAligned && to.length() >= head + BLOCK_BYTES) {
      if (head > 0) {
        return copy(from, to.first(head));
      }
      Span blocks = to.first(to.length() - to.length() % BLOCK_BYTES);
      shares = base.share(file.file(), from, blocks);
      if (shares) {
        return new Held(blocks, ReadBack.crc32c(file.file(), blocks, work));
      }
    }
    return copy(from, to.first(Math.min(ReadBack.PIECE_BYTES, to.length())));
  }

  /// What is compared is what is written, so that it need not be read again.
  private Held copy(long from, Span to) throws IOException {
    ByteBuffer piece = ReadBack.PIECE.get().clear().limit((int) to.length());
    while (piece.hasRemaining()) {
      if (base.read(piece, from + piece.position()) < 1) {
        throw new EOFException("it is shorter than it was");
      }
    }
    int crc32c = Crc32c.of(piece.flip());
    write(piece, to);
    return new Held(to, crc32c);
  }
}

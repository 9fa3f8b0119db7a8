package dev.zcp.copy;

import dev.zcp.core.Daemon;
import dev.zcp.core.PerThread;
import dev.zcp.core.Uninterruptible;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.PageCache;
import dev.zcp.secure.Cryptography;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.FutureTask;

/// Reads two files piece by piece and compares them byte by byte: what a digest of each would show
/// as well, but for those differences that a digest does not see. Belongs to one thread.
///
/// The pieces are read into two direct buffers that stay in the processor's cache. Nothing is
/// mapped: a file that somebody truncates would kill whoever digests its mapping.
final class FileComparison {

  /// Two of them fit into a second-level cache.
  static final int PIECE_BYTES = 256 << 10;

  /// From here on a second thread is worth starting.
  static final long TWO_THREADS_BYTES_MIN = 64L << 20;

  /// In place of an offset: there is no difference.
  static final long SAME = -1;

  private static final PerThread<FileComparison> MINE = new PerThread<>(FileComparison::new);

  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(PIECE_BYTES).asReadOnlyBuffer();

  private final ByteBuffer source = PageCache.aligned(PIECE_BYTES);
  private final ByteBuffer target = PageCache.aligned(PIECE_BYTES);

  /// That of a second thread which this one starts; null until it does.
  private FileComparison second;

  /// Null until a digest is asked for.
  private MessageDigest sha256;

  private boolean digests;

  private FileComparison() {}

  /// That of the calling thread.
  static FileComparison mine() {
    return MINE.get();
  }

  /// Is told of each piece that was read.
  @FunctionalInterface
  interface PieceListener {
    void read(long offset, long bytes, long elapsedNs);
  }

  /// Forgets what was read before.
  ///
  /// @param digest whether [#sha256] will be asked for
  FileComparison begin(boolean digest) {
    digests = digest;
    if (digest && sha256 == null) {
      sha256 = Cryptography.sha256();
    } else if (digest) {
      sha256.reset();
    }
    return this;
  }

  /// Where the files differ first, from `from` on and before `end`: the offset of a byte that only
  /// one has, or that each has another of; else [#SAME].
  ///
  /// @param from a multiple of [#PIECE_BYTES]
  /// @throws MoveException with the end that cannot be read
  long difference(
      NativeFile sourceFile, NativeFile targetFile, long from, long end, PieceListener pieces)
      throws MoveException {
    long next;
    for (long offset = from; offset < end; offset = next) {
      long startedNs = System.nanoTime();
      int asked = (int) Math.min(PIECE_BYTES, end - offset);
      fill(source, sourceFile, offset, asked, MoveException.End.SOURCE);
      fill(target, targetFile, offset, asked, MoveException.End.SINK);
      int at = source.mismatch(target);
      if (digests) {
        sha256.update(target);
      }
      pieces.read(offset, source.limit(), System.nanoTime() - startedNs);
      if (at >= 0) {
        return offset + at;
      }
      if (source.limit() < asked) {
        return offset + source.limit();
      }
      next = offset + PIECE_BYTES;
      if (!digests && isZero(source)) {
        next = Math.min(dataFrom(sourceFile, next, end), dataFrom(targetFile, next, end));
      }
    }
    return SAME;
  }

  /// As [#difference] from the beginning on and without a digest. Large files are compared by two
  /// threads, one for each half: a comparison waits for memory, of which one thread does not get
  /// all there is. Measured on 2 GiB in memory, on four processors with four times as much to do:
  /// 0.90 of the time of one thread.
  ///
  /// @param pieces may be called by two threads at a time
  static long differenceByTwo(
      NativeFile source, NativeFile target, long bytes, PieceListener pieces) throws MoveException {
    if (bytes < TWO_THREADS_BYTES_MIN) {
      return mine().begin(false).difference(source, target, 0, bytes, pieces);
    }
    long half = bytes / 2 - bytes / 2 % PIECE_BYTES;
    FileComparison mine = mine();
    // Buffers of a thread that ends would wait for a collection.
    mine.second = mine.second == null ? new FileComparison() : mine.second;
    FutureTask<Long> second =
        new FutureTask<>(
            () -> mine.second.begin(false).difference(source, target, half, bytes, pieces));
    Thread thread = Daemon.start(second, "zcp-compare");
    long first;
    try {
      first = mine.begin(false).difference(source, target, 0, half, pieces);
    } finally {
      Uninterruptible.join(thread);
    }
    try {
      return first != SAME ? first : second.resultNow();
    } catch (IllegalStateException e) {
      if (second.exceptionNow() instanceof MoveException failure) {
        throw failure;
      }
      throw new IllegalStateException(second.exceptionNow());
    }
  }

  private static boolean isZero(ByteBuffer piece) {
    return piece.get(0) == 0 && piece.mismatch(ZEROS.slice(0, piece.limit())) < 0;
  }

  /// The piece in which `file` has data next, or `end`: what is a hole on both sides need not be
  /// read, and may be more than anybody could.
  private static long dataFrom(NativeFile file, long offset, long end) {
    if (offset >= end) {
      return end;
    }
    try {
      long data = file.dataFrom(offset);
      return data < 0 ? end : Math.max(offset, data - data % PIECE_BYTES);
    } catch (IOException e) {
      // Then it is read.
      return offset;
    }
  }

  /// Digests the first `bytes` of one file.
  ///
  /// @return how many bytes it really has, up to `bytes`
  /// @throws MoveException with the end that cannot be read: the sink
  long digest(Source targetFile, long bytes, PieceListener pieces) throws MoveException {
    for (long offset = 0; offset < bytes; offset += PIECE_BYTES) {
      long startedNs = System.nanoTime();
      int asked = (int) Math.min(PIECE_BYTES, bytes - offset);
      fill(target, targetFile, offset, asked, MoveException.End.SINK);
      int count = target.limit();
      sha256.update(target);
      pieces.read(offset, count, System.nanoTime() - startedNs);
      if (count < asked) {
        return offset + count;
      }
    }
    return bytes;
  }

  /// Whether the source has nothing at `offset`.
  boolean ends(Source sourceFile, long offset) throws MoveException {
    fill(source, sourceFile, offset, 1, MoveException.End.SOURCE);
    return !source.hasRemaining();
  }

  /// The digest of all pieces of the target that were read since [#begin].
  byte[] sha256() {
    return sha256.digest();
  }

  /// The bytes of the source in the piece that was read last, from its beginning on.
  ByteBuffer sourcePiece() {
    return source.rewind();
  }

  /// Fills `piece` with what the file has at `offset`, `asked` bytes at most; its limit is the end.
  ///
  /// Whole pieces are asked for, since a read past the page cache takes nothing else.
  private static void fill(
      ByteBuffer piece, Source file, long offset, int asked, MoveException.End end)
      throws MoveException {
    piece.clear();
    try {
      while (piece.position() < asked && file.read(piece, offset + piece.position()) > 0) {
        // On to what is missing.
      }
    } catch (IOException e) {
      throw new MoveException(end, e);
    }
    piece.limit(Math.min(piece.position(), asked)).rewind();
  }
}

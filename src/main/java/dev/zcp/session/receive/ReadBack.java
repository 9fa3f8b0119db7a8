package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Forcing;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.PageCache;
import dev.zcp.secure.Cryptography;
import dev.zcp.spi.Source;
import dev.zcp.tree.MediaReading;
import dev.zcp.wire.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.function.Consumer;

/// Reads files again that were written, or were there. Any thread may call it.
final class ReadBack {

  static final int PIECE_BYTES = 256 << 10;

  private static final String SHORTER = "it is shorter than what was written";

  /// Aligned as a read past the page cache needs it.
  static final ThreadLocal<ByteBuffer> PIECE =
      ThreadLocal.withInitial(() -> PageCache.aligned(PIECE_BYTES));

  private ReadBack() {}

  /// The CRC32C of a range of a file. Holes are zeros, and are not read.
  ///
  /// @param work told how many bytes were read, piece by piece
  /// @throws IOException if it cannot be read, or is shorter
  static int crc32c(NativeFile file, Span span, FileWork work) throws IOException {
    int sum = 0;
    for (Span rest = span; !rest.isEmpty(); ) {
      long data = dataFrom(file, rest);
      if (data > rest.offset()) {
        long hole = data - rest.offset();
        if (file.status().sizeBytes() < data) {
          throw new IOException(SHORTER);
        }
        sum = Crc32c.combined(sum, Crc32c.ofZeros(hole), hole);
        rest = rest.skip(hole);
      } else {
        Span run = rest.first(holeFrom(file, rest) - rest.offset());
        sum = Crc32c.combined(sum, crc32cOfData(file, run, work), run.length());
        rest = rest.skip(run.length());
      }
    }
    return sum;
  }

  /// Where the first data of the span may be. Aligned, as a read past the page cache needs it.
  private static long dataFrom(NativeFile file, Span span) throws IOException {
    long data = file.dataFrom(span.offset());
    if (data < 0 || data >= span.end()) {
      return span.end();
    }
    return Math.max(span.offset(), data - data % PageCache.ALIGNMENT_BYTES);
  }

  /// Where the data ends that the span begins with, or the span does.
  private static long holeFrom(NativeFile file, Span span) throws IOException {
    long data = Math.max(span.offset(), file.dataFrom(span.offset()));
    long hole = file.holeFrom(data);
    if (hole < 0 || hole > span.end() - PageCache.ALIGNMENT_BYTES) {
      return span.end();
    }
    long misaligned = hole % PageCache.ALIGNMENT_BYTES;
    return misaligned == 0 ? hole : hole + PageCache.ALIGNMENT_BYTES - misaligned;
  }

  private static int crc32cOfData(Source file, Span span, FileWork work) throws IOException {
    Crc32c crc = new Crc32c();
    read(file, span, work, crc::update);
    return crc.value();
  }

  private static void read(Source file, Span span, FileWork work, Consumer<ByteBuffer> to)
      throws IOException {
    ByteBuffer piece = PIECE.get();
    for (Span rest = span; !rest.isEmpty(); ) {
      long startedNs = System.nanoTime();
      int count = fill(piece.clear(), file, rest);
      to.accept(piece.flip().limit(count));
      rest = rest.skip(count);
      work.sample(Stage.READ_BACK, System.nanoTime() - startedNs);
      work.goesOn();
    }
  }

  /// Whether a file is as it was looked at, and has the bytes that were shown.
  ///
  /// @param known what it was then
  /// @param digest the SHA-256 of all bytes; NONE if their CRC32C is to be compared
  static boolean isAsShown(
      NativeFile file, FileStatus known, int crc32c, Digest digest, FileWork work)
      throws IOException {
    return file.status().isUnchangedSince(known)
        && (digest.isSha256()
            ? sha256(file, known.sizeBytes(), work).equals(digest)
            : crc32c(file, new Span(0, known.sizeBytes()), work) == crc32c)
        && file.status().isUnchangedSince(known);
  }

  private static Digest sha256(NativeFile file, long bytes, FileWork work) throws IOException {
    MessageDigest digest = Cryptography.sha256();
    read(file, new Span(0, bytes), work, digest::update);
    return Digest.sha256(digest.digest());
  }

  /// Whether two files have the same bytes.
  ///
  /// @param work asked now and then whether somebody still wants to know, by what it throws
  static boolean areEqual(NativeFile one, NativeFile other, long bytes, FileWork work)
      throws IOException {
    ByteBuffer piece = PIECE.get();
    ByteBuffer others = ByteBuffer.allocateDirect(PIECE_BYTES);
    for (Span rest = new Span(0, bytes); !rest.isEmpty(); ) {
      int count = fill(piece.clear(), one, rest);
      if (fill(others.clear(), other, rest) != count
          || !piece.flip().limit(count).equals(others.flip().limit(count))) {
        return false;
      }
      rest = rest.skip(count);
      work.goesOn();
    }
    return true;
  }

  /// A whole piece but for the last, since a read past the page cache takes nothing else.
  ///
  /// @return how many of the bytes in `piece` count
  private static int fill(ByteBuffer piece, Source file, Span rest) throws IOException {
    long wanted = Math.min(PIECE_BYTES, rest.length());
    while (piece.position() < wanted) {
      if (file.read(piece, rest.offset() + piece.position()) < 1) {
        throw new IOException(SHORTER);
      }
    }
    return (int) Math.min(piece.position(), rest.length());
  }

  /// Proves that a file has the bytes that it is to have, as far as `level` asks for it.
  ///
  /// @param label the file's name, for messages
  /// @return how far that could be proved
  /// @throws Failure INTEGRITY if it has other bytes
  static Level prove(
      NativeFile file, long bytes, int crc32c, Level level, FileWork work, Object label)
      throws IOException, Failure {
    if (level.compareTo(Level.READBACK) < 0) {
      return level;
    }
    long startedNs = System.nanoTime();
    if (level == Level.MEDIA) {
      // By pieces, or the end of the session would be noticed only when all is written out.
      Forcing.writeOut(file, bytes, _ -> work.goesOn());
    }
    Level asked = level == Level.MEDIA ? Level.MEDIA : Level.READBACK;
    try (MediaReading reading = MediaReading.of(asked, file)) {
      if (level == Level.MEDIA) {
        work.sample(Stage.FLUSH, System.nanoTime() - startedNs);
      }
      if (crc32c(reading.file(), new Span(0, bytes), work) != crc32c) {
        throw Failure.of(
                ExitCode.INTEGRITY,
                label.toString(),
                "what was read back differs from what was sent")
            .with("nothing was published; run the same command again");
      }
      return reading.reached() == Level.MEDIA ? Level.MEDIA : Level.READBACK;
    }
  }
}

package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.linux.Forcing;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.PageCache;
import dev.zcp.spi.Source;
import dev.zcp.tree.MediaReading;
import dev.zcp.wire.Level;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Reads files again that were written, or were there. Any thread may call it.
final class ReadBack {

  private static final int PIECE_BYTES = 256 << 10;

  /// Aligned as a read past the page cache needs it.
  private static final ThreadLocal<ByteBuffer> PIECE =
      ThreadLocal.withInitial(
          () ->
              ByteBuffer.allocateDirect(PIECE_BYTES + PageCache.ALIGNMENT_BYTES)
                  .alignedSlice(PageCache.ALIGNMENT_BYTES)
                  .limit(PIECE_BYTES)
                  .slice());

  private ReadBack() {}

  /// The CRC32C of a range of a file.
  ///
  /// @param work told how many bytes were read, piece by piece
  /// @throws IOException if it cannot be read, or is shorter
  static int crc32c(Source file, Span span, FileWork work) throws IOException {
    ByteBuffer piece = PIECE.get();
    CRC32C crc = new CRC32C();
    for (Span rest = span; !rest.isEmpty(); ) {
      long startedNs = System.nanoTime();
      int count = fill(piece.clear(), file, rest);
      crc.update(piece.flip().limit(count));
      rest = rest.skip(count);
      work.sample(Stage.READ_BACK, System.nanoTime() - startedNs);
      work.readAgain(count);
    }
    return (int) crc.getValue();
  }

  /// A whole piece but for the last, since a read past the page cache takes nothing else.
  ///
  /// @return how many of the bytes in `piece` count
  private static int fill(ByteBuffer piece, Source file, Span rest) throws IOException {
    long wanted = Math.min(PIECE_BYTES, rest.length());
    while (piece.position() < wanted) {
      if (file.read(piece, rest.offset() + piece.position()) < 1) {
        throw new IOException("it is shorter than what was written");
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
      // Or nobody would hear of progress while all of a large file is written out.
      Forcing.writeOut(file, bytes, work::readAgain);
    }
    Verified asked = level == Level.MEDIA ? Verified.MEDIA : Verified.READBACK;
    try (MediaReading reading = MediaReading.of(asked, file)) {
      if (level == Level.MEDIA) {
        work.sample(Stage.FLUSH, System.nanoTime() - startedNs);
      }
      if (crc32c(reading.file(), new Span(0, bytes), work) != crc32c) {
        throw Failure.of(
                ExitCode.INTEGRITY, label.toString(), "what was read again is not what was sent")
            .with("nothing was published; run the same command again");
      }
      return reading.reached() == Verified.MEDIA ? Level.MEDIA : Level.READBACK;
    }
  }
}

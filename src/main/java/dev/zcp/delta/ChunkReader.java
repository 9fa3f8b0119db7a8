package dev.zcp.delta;

import dev.zcp.core.Span;
import dev.zcp.spi.Source;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/// Reads a file chunk by chunk. Used by one thread, for any number of files.
public final class ChunkReader {

  /// Hears of each chunk, in the order of the file.
  public interface ChunkTaker {

    /// @param bytes the chunk, for as long as this call takes
    /// @param digest the first 8 bytes of the SHA-256 of seed and chunk, little-endian
    /// @return whether to go on
    boolean take(long offset, ByteBuffer bytes, long digest) throws IOException;
  }

  private static final int READ_BYTES = 1 << 20;

  private final MessageDigest sha256;
  private final long[] gear;
  private byte[] bytes = new byte[0];

  public ChunkReader(MessageDigest sha256) {
    this.sha256 = sha256;
    this.gear = Chunking.gear(sha256);
  }

  /// Reads a run of data, which begins with a chunk.
  ///
  /// @throws EOFException if the file ends before the span does
  public void read(Source source, Span run, Chunking chunking, byte[] seed, ChunkTaker taker)
      throws IOException {
    if (bytes.length < chunking.bytesMax() + READ_BYTES) {
      bytes = new byte[chunking.bytesMax() + READ_BYTES];
    }
    long at = run.offset();
    int begin = 0;
    int end = 0;
    boolean goesOn = true;
    while (goesOn && at < run.end()) {
      boolean isAll = at + (end - begin) == run.end();
      if (!isAll && end - begin < chunking.bytesMax()) {
        System.arraycopy(bytes, begin, bytes, 0, end - begin);
        end -= begin;
        begin = 0;
        end = fill(source, at, end, run.end());
        continue;
      }
      int cut = chunking.cut(bytes, begin, end, gear);
      sha256.update(seed);
      sha256.update(bytes, begin, cut - begin);
      long digest = Chunking.firstBytes(sha256);
      goesOn = taker.take(at, ByteBuffer.wrap(bytes, begin, cut - begin), digest);
      at += cut - begin;
      begin = cut;
    }
  }

  /// @return how many bytes are there now
  private int fill(Source source, long at, int count, long end) throws IOException {
    int filled = count;
    int limit = (int) Math.min(bytes.length, end - at);
    while (filled < limit) {
      int more = source.read(ByteBuffer.wrap(bytes, filled, limit - filled), at + filled);
      if (more < 1) {
        throw new EOFException("the file ended at " + (at + filled));
      }
      filled += more;
    }
    return filled;
  }
}

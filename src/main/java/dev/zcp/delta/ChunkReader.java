package dev.zcp.delta;

import dev.zcp.core.Span;
import dev.zcp.spi.Source;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import javax.crypto.Cipher;

/// Reads runs of data of a file chunk by chunk: where a chunk ends is [cut][#cut] by its contents,
/// or known. Before each chunk, [#fill] is due if less than a chunk [is there][#isLow]. Used by one
/// thread, for any number of files.
public final class ChunkReader {

  private static final int READ_BYTES = 1 << 18;

  private final long[] gear;
  private final ChunkDigest digest;

  private Source source;
  private Chunking chunking;
  private Span run = new Span(0, 0);

  /// Where in the file the next chunk begins.
  private long at;

  /// What was read; the next chunk begins at [#begin].
  private ByteBuffer bytes = ByteBuffer.allocateDirect(0);

  private int begin;
  private int end;

  /// What [#cut] looks at: the same, where it has looked.
  private byte[] looked = new byte[0];

  private int lookedEnd;

  /// @param gcm AES/GCM/NoPadding
  public ChunkReader(MessageDigest sha256, Cipher gcm) {
    gear = Chunking.gear(sha256);
    digest = new ChunkDigest(gcm);
  }

  /// Turns to a file.
  ///
  /// @param seed the key of its chunks' digests, of 16 bytes
  public void open(Source newSource, Chunking newChunking, byte[] seed) {
    source = newSource;
    chunking = newChunking;
    digest.open(seed, chunking.bytesMax());
    begin(new Span(0, 0));
    int length = chunking.bytesMax() + READ_BYTES;
    if (looked.length < length) {
      looked = new byte[length];
      bytes = ByteBuffer.allocateDirect(length);
    }
  }

  /// Turns to a run of data, which begins with a chunk.
  public void begin(Span newRun) {
    run = newRun;
    at = run.offset();
    begin = 0;
    end = 0;
    lookedEnd = 0;
  }

  public boolean isAtEnd() {
    return at == run.end();
  }

  /// Where in the file the next chunk begins.
  public long offset() {
    return at;
  }

  /// Whether there is less than the longest chunk, and more to be read.
  public boolean isLow() {
    return there() < chunking.bytesMax() && at + there() < run.end();
  }

  /// Reads on. What was [taken][#taken] is gone then.
  ///
  /// @throws EOFException if the file ends before the run does
  public void fill() throws IOException {
    bytes.clear().put(0, bytes, begin, there());
    end -= begin;
    begin = 0;
    lookedEnd = 0;
    int limit = (int) Math.min(bytes.capacity(), run.end() - at);
    while (end < limit) {
      int more = source.read(bytes.limit(limit).position(end), at + end);
      if (more < 1) {
        throw new EOFException("the file ended at " + (at + end));
      }
      end += more;
    }
    bytes.clear();
  }

  /// How many bytes there are from the beginning of the next chunk on.
  public int there() {
    return end - begin;
  }

  /// Where the next chunk ends.
  ///
  /// @return its length
  public int cut() {
    if (lookedEnd < end) {
      int from = Math.max(lookedEnd, begin);
      bytes.get(from, looked, from, end - from);
      lookedEnd = end;
    }
    return chunking.cut(looked, begin, end, gear) - begin;
  }

  /// What the next bytes are found by if they are a chunk.
  public long digest(int length) {
    return digest.of(bytes.slice(begin, length));
  }

  /// Goes past the next chunk.
  ///
  /// @return its bytes, until [#fill] or [#begin]
  public ByteBuffer take(int length) {
    ByteBuffer chunk = bytes.slice(begin, length);
    begin += length;
    at += length;
    return chunk;
  }

  /// What was gone past since the last [#fill] or [#begin].
  ///
  /// @return null if that was less
  public ByteBuffer taken(Span span) {
    return span.end() == at && span.length() <= begin
        ? bytes.slice(begin - (int) span.length(), (int) span.length())
        : null;
  }
}

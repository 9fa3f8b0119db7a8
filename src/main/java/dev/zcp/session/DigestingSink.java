package dev.zcp.session;

import dev.zcp.core.SpareBuffer;
import dev.zcp.spi.Sink;
import dev.zcp.spi.UserSpaceSink;
import dev.zcp.wire.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A sink whose bytes are digested on their way: the very memory that is written, after it was. It
/// shows no descriptor, and no file: what the kernel moved by itself would not be digested.
public final class DigestingSink implements UserSpaceSink {

  private static final int PIECE_BYTES = 1 << 20;

  private final Sink sink;
  private final Checksum checksum;

  /// Where the channel goes on.
  private long next;

  private long digestNs;

  public DigestingSink(Sink sink, Digest.Algorithm algorithm) {
    this.sink = sink;
    this.checksum = new Checksum(algorithm);
  }

  /// Begins another digest.
  ///
  /// @param offset where what is written to the [channel][#channel] goes on
  public void begin(long offset) {
    checksum.reset();
    next = offset;
  }

  /// Of all bytes that were written since the last [#begin], which is due after it.
  public Checksum.Sum sum() {
    return checksum.sum();
  }

  /// How long the digest of the last write took.
  public long digestNs() {
    return digestNs;
  }

  /// What is on the heap would be copied on its way to the kernel, and a digest of the original
  /// proves nothing of the copy: so the copy is made here.
  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    if (bytes.isDirect()) {
      return writeDirect(bytes, offset);
    }
    int length = Math.min(bytes.remaining(), PIECE_BYTES);
    ByteBuffer piece = SpareBuffer.DIRECT.take(length);
    try {
      piece.put(0, bytes, bytes.position(), length).limit(length);
      int count = writeDirect(piece, offset);
      bytes.position(bytes.position() + count);
      return count;
    } finally {
      SpareBuffer.DIRECT.give(piece);
    }
  }

  private int writeDirect(ByteBuffer bytes, long offset) throws IOException {
    ByteBuffer written = bytes.duplicate();
    int count = sink.write(bytes, offset);
    next = offset + count;
    long startedNs = System.nanoTime();
    checksum.update(written.limit(written.position() + count));
    digestNs = System.nanoTime() - startedNs;
    return count;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return write(bytes, next);
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}

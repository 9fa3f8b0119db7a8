package dev.zcp.copy;

import dev.zcp.linux.NativeFile;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A new file that gets everything but blocks of zeros, so that they become holes. The caller sets
/// its length.
final class ZeroSkippingSink implements Sink {

  /// What file systems make holes of.
  private static final int BLOCK_BYTES = 4096;

  private final NativeFile file;

  ZeroSkippingSink(NativeFile file) {
    this.file = file;
  }

  @Override
  public Route.Traits traits() {
    return file.traits();
  }

  @Override
  public int descriptor() {
    return file.descriptor();
  }

  /// Takes the first blocks, as far as all are zeros or none is.
  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    int start = bytes.position();
    int end = bytes.limit();
    int at = start;
    boolean isZero = isZero(bytes, start);
    do {
      at = Math.min(at + BLOCK_BYTES, end);
    } while (at < end && isZero(bytes, at) == isZero);
    if (isZero) {
      bytes.position(at);
      return at - start;
    }
    bytes.limit(at);
    try {
      return file.write(bytes, offset);
    } finally {
      bytes.limit(end);
    }
  }

  @Override
  public WritableByteChannel channel() {
    return file.channel();
  }

  private static boolean isZero(ByteBuffer bytes, int from) {
    int to = Math.min(from + BLOCK_BYTES, bytes.limit());
    int at = from;
    while (at + Long.BYTES <= to && bytes.getLong(at) == 0) {
      at += Long.BYTES;
    }
    while (at < to && bytes.get(at) == 0) {
      at++;
    }
    return at == to;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

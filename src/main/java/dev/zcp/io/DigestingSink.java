package dev.zcp.io;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/// A sink whose bytes are digested on their way. It shows no descriptor, and no file: what the
/// kernel moved by itself would not be digested.
public final class DigestingSink implements Sink, WritableByteChannel {

  private final Sink sink;
  private final CRC32C crc = new CRC32C();
  private final Route.Traits traits;
  private long digestNs;

  public DigestingSink(Sink sink) {
    this.sink = sink;
    this.traits = new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);
  }

  /// Begins another digest.
  public void reset() {
    crc.reset();
  }

  /// The CRC32C of all bytes that were written since the last [#reset], 0 to 2^32 - 1.
  public long crc32c() {
    return crc.getValue();
  }

  /// How long the digest of the last write took.
  public long digestNs() {
    return digestNs;
  }

  @Override
  public Route.Traits traits() {
    return traits;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    ByteBuffer written = bytes.duplicate();
    int count = sink.write(bytes, offset);
    long startedNs = System.nanoTime();
    crc.update(written.limit(written.position() + count));
    digestNs = System.nanoTime() - startedNs;
    return count;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return write(bytes, 0);
  }

  @Override
  public WritableByteChannel channel() {
    return this;
  }

  @Override
  public int descriptor() {
    return Descriptors.NONE;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}

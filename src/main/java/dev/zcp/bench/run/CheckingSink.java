package dev.zcp.bench.run;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// The end of READ: bytes in memory, which are looked at and dropped.
final class CheckingSink implements Sink, WritableByteChannel {

  private final ContentCheck check;

  CheckingSink(ContentCheck check) {
    this.check = check;
  }

  /// For those who have no buffer.
  void take(byte[] next, int count) throws IOException {
    check.take(next, count);
  }

  @Override
  public Route.Traits traits() {
    return MemorySource.TRAITS;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    return write(bytes);
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    check.take(bytes);
    return count;
  }

  @Override
  public WritableByteChannel channel() {
    return this;
  }

  @Override
  public int descriptor() {
    return MemorySource.NO_DESCRIPTOR;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}

package dev.zcp.session.receive;

import dev.zcp.spi.Sink;
import dev.zcp.spi.UserSpaceSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The bytes of one block on their way to standard output, which must not get them before they are
/// known to be right. Belongs to one thread.
final class BlockBuffer implements UserSpaceSink {

  /// No block is longer that goes to standard output.
  static final int BYTES_MAX = 16 << 20;

  private ByteBuffer bytes = ByteBuffer.allocateDirect(0);

  /// Begins another block; what is there of the one before is dropped.
  ///
  /// @param count how many bytes it has, at most [#BYTES_MAX]
  void begin(int count) {
    if (bytes.capacity() < count) {
      bytes = ByteBuffer.allocateDirect(count);
    }
    bytes.clear().limit(count);
  }

  /// Writes what is there of the block.
  void writeTo(Sink sink, long offset) throws IOException {
    sink.writeAll(bytes.flip(), offset);
  }

  @Override
  public int write(ByteBuffer from, long offset) {
    int count = Math.min(from.remaining(), bytes.remaining());
    bytes.put(bytes.position(), from, from.position(), count).position(bytes.position() + count);
    from.position(from.position() + count);
    return count;
  }

  @Override
  public void close() {
    // It is used again.
  }
}

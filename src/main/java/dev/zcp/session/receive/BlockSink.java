package dev.zcp.session.receive;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A file that blocks of one connection are written to.
///
/// If a write fails in the middle of a block, nobody knows how much of the block was read from the
/// connection, and the connection ends: another one takes its place. The pipes of an ssh cannot be
/// opened again, so there the rest of the block is read and thrown away, and the session goes on.
/// If the kernel moves the bytes past [#write], the pipes end, too.
final class BlockSink implements Sink {

  private final Sink file;

  private final boolean isLast;

  private IOException failure;

  /// @param file to be left open
  /// @param isLast whether no other connection can take the place of this one
  BlockSink(Sink file, boolean isLast) {
    this.file = file;
    this.isLast = isLast;
  }

  /// Why the file lacks bytes that were taken for it; null if it does not.
  IOException failure() {
    return failure;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    if (failure == null) {
      try {
        return file.write(bytes, offset);
      } catch (IOException e) {
        if (!isLast) {
          throw e;
        }
        failure = e;
      }
    }
    int count = bytes.remaining();
    bytes.position(bytes.limit());
    return count;
  }

  @Override
  public Route.Traits traits() {
    return file.traits();
  }

  @Override
  public WritableByteChannel channel() {
    return file.channel();
  }

  @Override
  public int descriptor() {
    return file.descriptor();
  }

  @Override
  public void close() {
    // The file is not this sink's.
  }
}

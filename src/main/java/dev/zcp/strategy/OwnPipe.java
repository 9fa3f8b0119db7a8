package dev.zcp.strategy;

import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Sink;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A pipe between two ends neither of which is one, since splice(2) needs a pipe at one side.
///
/// @param readEnd the descriptor that bytes leave by
/// @param writeEnd the descriptor that bytes enter by
/// @param bytes how much it holds
record OwnPipe(int readEnd, int writeEnd, int bytes) implements Closeable {

  /// The most that an unprivileged process may ask for: `/proc/sys/fs/pipe-max-size`.
  private static final int CAPACITY_BYTES = 1 << 20;

  private static final int DRAIN_BYTES = 64 << 10;

  /// @throws IOException where no pipe is to be had
  static OwnPipe open() throws IOException {
    int[] ends = new int[2];
    int result = Libc.pipe(ends);
    if (result < 0) {
      throw Errno.failure(-result);
    }
    // A pipe that may not grow, for want of pages allowed to this user, is smaller and slower only.
    int granted = Libc.setPipeCapacity(ends[1], CAPACITY_BYTES);
    return new OwnPipe(ends[0], ends[1], granted > 0 ? granted : Libc.pipeCapacity(ends[1]));
  }

  /// Writes the `count` bytes in the pipe to the sink by way of user space.
  void drain(Sink sink, long offset, long count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect((int) Math.min(DRAIN_BYTES, count));
    long drained = 0;
    while (drained < count) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), count - drained));
      int got = Libc.read(readEnd, buffer);
      if (got < 1) {
        throw new IOException("The pipe lost bytes", got < 0 ? Errno.failure(-got) : null);
      }
      UserSpace.writeAll(sink, buffer.flip(), offset + drained);
      drained += got;
    }
  }

  @Override
  public void close() {
    // Nothing to tell anybody: a pipe has nothing to flush.
    Libc.close(readEnd);
    Libc.close(writeEnd);
  }
}

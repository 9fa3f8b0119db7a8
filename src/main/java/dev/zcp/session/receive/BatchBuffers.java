package dev.zcp.session.receive;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/// Memory for the bytes of batches between the socket and their files, for all sessions of the
/// process. Whoever wants some while all of it is in use waits, and so does the sender, since the
/// socket is not read meanwhile.
final class BatchBuffers {

  /// All of it. At least [dev.zcp.wire.Limits#BATCH_BYTES_MAX], or the longest batch would wait for
  /// ever.
  private static final int BYTES_MAX = 32 << 20;

  /// Sizes are powers of two from here on, so that few kinds of them lie about.
  private static final int BUFFER_BYTES_MIN = 64 << 10;

  // All below is guarded by this.
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private int bytes;

  /// A buffer with exactly `count` bytes of room; direct. To be given [back][#giveBack].
  synchronized ByteBuffer take(int count) throws InterruptedException {
    int capacity = Math.max(BUFFER_BYTES_MIN, powerOfTwo(count));
    while (true) {
      ByteBuffer buffer = fitting(capacity);
      if (buffer == null && bytes + capacity > BYTES_MAX) {
        // Of another size: the collector frees them.
        dropFree();
      }
      if (buffer == null && bytes + capacity <= BYTES_MAX) {
        buffer = ByteBuffer.allocateDirect(capacity);
        bytes += capacity;
      }
      if (buffer != null) {
        return buffer.clear().limit(count);
      }
      wait();
    }
  }

  synchronized void giveBack(ByteBuffer buffer) {
    free.addFirst(buffer);
    notifyAll();
  }

  private ByteBuffer fitting(int capacity) {
    // Not by remove(Object): two buffers are equal where their bytes are.
    for (Iterator<ByteBuffer> each = free.iterator(); each.hasNext(); ) {
      ByteBuffer buffer = each.next();
      if (buffer.capacity() == capacity) {
        each.remove();
        return buffer;
      }
    }
    return null;
  }

  private void dropFree() {
    for (ByteBuffer each : free) {
      bytes -= each.capacity();
    }
    free.clear();
  }

  private static int powerOfTwo(int count) {
    return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
  }
}

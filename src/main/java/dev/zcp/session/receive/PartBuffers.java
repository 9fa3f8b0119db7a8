package dev.zcp.session.receive;

import dev.zcp.wire.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/// Memory for the bytes of parts between the socket and their files, for all sessions of the
/// process. A session that wants more than it may have waits, and so does its sender, since the
/// socket is not read meanwhile.
final class PartBuffers {

  /// What a session has anyway: the longest part. Each of them may be on its way for as long as its
  /// sender likes.
  private static final int SESSION_BYTES = Limits.PART_BYTES_MAX;

  /// What those take besides that have more to do.
  private static final int COMMON_BYTES = 32 << 20;

  /// Sizes are powers of two from here on, so that few kinds of them lie about.
  private static final int BUFFER_BYTES_MIN = 64 << 10;

  private final Budget budget = new Budget(SESSION_BYTES, COMMON_BYTES);

  // All below is guarded by this.
  private final Deque<ByteBuffer> free = new ArrayDeque<>();

  /// Of those that are free or in use.
  private long bytes;

  /// The buffers of a session.
  BufferShare share() {
    return new BufferShare(budget.new Share());
  }

  /// What one session may take. Any thread may call it.
  final class BufferShare {

    private final Budget.Share share;

    private BufferShare(Budget.Share share) {
      this.share = share;
    }

    /// A buffer with exactly `count` bytes of room; direct. To be given [back][#giveBack].
    ByteBuffer take(int count) throws InterruptedException {
      int capacity = Math.max(BUFFER_BYTES_MIN, powerOfTwo(count));
      share.await(capacity);
      return any(capacity).clear().limit(count);
    }

    void giveBack(ByteBuffer buffer) {
      synchronized (PartBuffers.this) {
        free.addFirst(buffer);
      }
      share.giveBack(buffer.capacity());
    }
  }

  private synchronized ByteBuffer any(int capacity) {
    ByteBuffer buffer = fitting(capacity);
    if (buffer != null) {
      return buffer;
    }
    if (bytes + capacity > budget.total()) {
      // Of another size: the collector frees them.
      dropFree();
    }
    buffer = ByteBuffer.allocateDirect(capacity);
    bytes += capacity;
    return buffer;
  }

  private ByteBuffer fitting(int capacity) {
    // Not by remove(Object): two buffers are equal if their bytes are.
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

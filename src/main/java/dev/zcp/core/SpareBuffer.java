package dev.zcp.core;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/// Buffers that threads are done with, one for each thread, kept for its next use of one.
///
/// Memory outside the heap comes back only when a collector finds the buffer dead, and none looks
/// because such memory is short; long arrays are old from the start. With a buffer for each of many
/// files either would grow with their number.
public final class SpareBuffer {

  public static final SpareBuffer DIRECT = new SpareBuffer(ByteBuffer::allocateDirect);
  public static final SpareBuffer HEAP = new SpareBuffer(ByteBuffer::allocate);

  /// A thread keeps one of this much at most.
  private static final int KEPT_BYTES_MAX = 8 << 20;

  private final ThreadLocal<ByteBuffer> spare = new ThreadLocal<>();
  private final IntFunction<ByteBuffer> allocate;

  private SpareBuffer(IntFunction<ByteBuffer> allocate) {
    this.allocate = allocate;
  }

  /// A buffer of at least `bytes`, cleared, and the caller's alone until it is [given back][#give].
  ///
  /// @throws OutOfMemoryError if there is no memory for it
  public ByteBuffer take(int bytes) {
    ByteBuffer mine = spare.get();
    if (mine == null || mine.capacity() < bytes) {
      return allocate.apply(bytes);
    }
    spare.set(null);
    return mine;
  }

  /// Takes back what the caller took and uses no more, nor any view of it.
  public void give(ByteBuffer taken) {
    ByteBuffer mine = spare.get();
    boolean isBetter = mine == null || mine.capacity() < taken.capacity();
    if (isBetter && taken.capacity() <= KEPT_BYTES_MAX) {
      spare.set(taken.clear());
    }
  }
}

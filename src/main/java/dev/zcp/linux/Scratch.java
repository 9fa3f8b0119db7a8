package dev.zcp.linux;

import dev.zcp.core.PerThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/// Memory that the calls of [Libc] read and write beside their buffers. It belongs to one thread;
/// what one call left in it is read before that thread makes another.
final class Scratch {

  private static final int SOURCE_OFFSET = 8;
  private static final int TARGET_OFFSET = 16;
  private static final int STRUCT = 64;

  /// Of the largest structure that a call fills or reads: a `struct statx`.
  static final int STRUCT_BYTES = 256;

  private static final int FIRST_PATH = STRUCT + STRUCT_BYTES;

  /// PATH_MAX of Linux, its NUL included: limits.h(0P). No longer name or path can be said at once.
  static final int PATH_BYTES = 4096;

  private static final int SECOND_PATH = FIRST_PATH + PATH_BYTES;
  private static final int BYTES = SECOND_PATH + PATH_BYTES;

  private static final PerThread<Scratch> MINE = new PerThread<>(Scratch::new);

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
  private final long address = Native.address(bytes);

  /// The structure, to be read at once: each number read by itself is a call for the first
  /// compiler.
  private final LongBuffer struct =
      bytes.slice(STRUCT, STRUCT_BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();

  private final long[] copied = new long[STRUCT_BYTES / Long.BYTES];

  /// The buffer that [#addressOf] was asked for last, and where its first byte is.
  private ByteBuffer buffer;

  private long bufferAddress;

  private Scratch() {}

  static Scratch mine() {
    return MINE.get();
  }

  /// The address of the byte at the position of `direct`, remembered for the next call of a loop.
  /// The buffer is remembered too, so no collector takes it while a call uses its memory.
  ///
  /// @throws IllegalArgumentException if its memory is on the heap
  long addressOf(ByteBuffer direct) {
    if (buffer != direct) {
      if (!direct.isDirect()) {
        throw new IllegalArgumentException("the kernel reaches direct buffers only");
      }
      bufferAddress = Native.address(direct);
      buffer = direct;
    }
    return bufferAddress + direct.position();
  }

  /// The address of an `off_t` that holds `offset`, or NULL.
  long source(long offset) {
    return offset(SOURCE_OFFSET, offset);
  }

  long target(long offset) {
    return offset(TARGET_OFFSET, offset);
  }

  /// The address of a structure of as many longs as `content` has, which it holds.
  long struct(long... content) {
    for (int i = 0; i < content.length; i++) {
      bytes.putLong(STRUCT + i * Long.BYTES, content[i]);
    }
    return address + STRUCT;
  }

  /// What a call left in the structure.
  void readStruct(long[] content) {
    struct.get(0, content);
  }

  /// All of it, in an array that the next call overwrites, so that no status of a file costs a new
  /// array.
  long[] readStruct() {
    struct.get(0, copied);
    return copied;
  }

  /// The address of the structure's memory, for a call that fills it.
  long struct() {
    return address + STRUCT;
  }

  long structLong(int at) {
    return bytes.getLong(STRUCT + at);
  }

  int structInt(int at) {
    return bytes.getInt(STRUCT + at);
  }

  /// The address of `path` as C has it, with a NUL at its end. If it is longer than PATH_MAX there
  /// is no NUL, and the kernel, which looks no further than that, says ENAMETOOLONG.
  long path(byte[] path) {
    return path(FIRST_PATH, path);
  }

  /// As [#path], for the second path of a call.
  long secondPath(byte[] path) {
    return path(SECOND_PATH, path);
  }

  /// The first bytes of what a call left in place of the first path.
  byte[] readPath(int length) {
    byte[] path = new byte[length];
    bytes.get(FIRST_PATH, path);
    return path;
  }

  private long path(int at, byte[] path) {
    bytes.put(at, path, 0, Math.min(path.length, PATH_BYTES));
    if (path.length < PATH_BYTES) {
      bytes.put(at + path.length, (byte) 0);
    }
    return address + at;
  }

  private long offset(int at, long offset) {
    if (offset == Libc.NO_OFFSET) {
      return 0;
    }
    bytes.putLong(at, offset);
    return address + at;
  }
}

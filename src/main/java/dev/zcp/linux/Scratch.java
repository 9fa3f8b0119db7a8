package dev.zcp.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory that the calls of [Libc] read and write beside their buffers. It belongs to one thread,
/// as errno does in C; what one call left in it is read before that thread makes another.
record Scratch(MemorySegment memory) {

  private static final long ERRNO = 0;
  private static final long SOURCE_OFFSET = 8;
  private static final long TARGET_OFFSET = 16;
  private static final long PIPE = 24;
  private static final long CLONE_RANGE = 32;
  private static final long STRUCT = 64;

  /// Of the largest structure that a call fills or reads: a `struct statx`.
  static final long STRUCT_BYTES = 256;

  private static final long FIRST_PATH = STRUCT + STRUCT_BYTES;

  /// PATH_MAX of Linux, its NUL included: limits.h(0P). No longer name or path can be said at once.
  static final int PATH_BYTES = 4096;

  private static final long SECOND_PATH = FIRST_PATH + PATH_BYTES;
  private static final long BYTES = SECOND_PATH + PATH_BYTES;

  private static final ThreadLocal<Scratch> MINE =
      new ThreadLocal<>() {
        @Override
        protected Scratch initialValue() {
          return new Scratch(Arena.ofAuto().allocate(BYTES, Long.BYTES));
        }
      };

  static Scratch mine() {
    return MINE.get();
  }

  int errno() {
    return memory.get(ValueLayout.JAVA_INT, ERRNO);
  }

  /// The address of an `off_t` that holds `offset`, or NULL.
  long source(long offset) {
    return offset(SOURCE_OFFSET, offset);
  }

  long target(long offset) {
    return offset(TARGET_OFFSET, offset);
  }

  long pipe() {
    return memory.address() + PIPE;
  }

  void readPipe(int[] ends) {
    ends[0] = memory.get(ValueLayout.JAVA_INT, PIPE);
    ends[1] = memory.get(ValueLayout.JAVA_INT, PIPE + Integer.BYTES);
  }

  /// The address of a `struct file_clone_range`.
  long cloneRange(int from, long fromOffset, long bytes, long toOffset) {
    memory.set(ValueLayout.JAVA_LONG, CLONE_RANGE, from);
    memory.set(ValueLayout.JAVA_LONG, CLONE_RANGE + 8, fromOffset);
    memory.set(ValueLayout.JAVA_LONG, CLONE_RANGE + 16, bytes);
    memory.set(ValueLayout.JAVA_LONG, CLONE_RANGE + 24, toOffset);
    return memory.address() + CLONE_RANGE;
  }

  /// The address of a structure of as many longs as `content` has, which it holds.
  long struct(long... content) {
    for (int i = 0; i < content.length; i++) {
      memory.setAtIndex(ValueLayout.JAVA_LONG, STRUCT / Long.BYTES + i, content[i]);
    }
    return memory.address() + STRUCT;
  }

  /// What a call left in the structure.
  void readStruct(long[] content) {
    for (int i = 0; i < content.length; i++) {
      content[i] = memory.getAtIndex(ValueLayout.JAVA_LONG, STRUCT / Long.BYTES + i);
    }
  }

  /// The address of the structure's memory, for a call that fills it.
  long struct() {
    return memory.address() + STRUCT;
  }

  int structInt(long at) {
    return memory.get(ValueLayout.JAVA_INT, STRUCT + at);
  }

  long structLong(long at) {
    return memory.get(ValueLayout.JAVA_LONG, STRUCT + at);
  }

  /// The address of `path` as C has it, with a NUL at its end; NULL where it is longer than the
  /// kernel takes.
  long path(byte[] path) {
    return path(FIRST_PATH, path);
  }

  /// As [#path], for the second path of a call.
  long secondPath(byte[] path) {
    return path(SECOND_PATH, path);
  }

  /// The first bytes of what a call left in place of the first path.
  byte[] readPath(int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, FIRST_PATH, bytes, 0, length);
    return bytes;
  }

  private long path(long at, byte[] path) {
    if (path.length >= PATH_BYTES) {
      return 0;
    }
    MemorySegment.copy(path, 0, memory, ValueLayout.JAVA_BYTE, at, path.length);
    memory.set(ValueLayout.JAVA_BYTE, at + path.length, (byte) 0);
    return memory.address() + at;
  }

  private long offset(long at, long offset) {
    if (offset == Libc.NO_OFFSET) {
      return 0;
    }
    memory.set(ValueLayout.JAVA_LONG, at, offset);
    return memory.address() + at;
  }
}

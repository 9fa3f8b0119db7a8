package dev.zcp.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/// A part of a file in memory, until [#close] and not until some garbage collection. Belongs to the
/// thread that made it, unless it was made for any.
///
/// If the file is truncated by somebody, or its device has no space, the pages behind the end do
/// not exist: touching them from Java is an [InternalError] that may come a little late; a system
/// call that meets them fails with EFAULT; and `java.util.zip` has no guard and kills the process,
/// so nobody may checksum a mapping.
public final class Mapping implements AutoCloseable {

  private final Arena arena;
  private final ByteBuffer bytes;

  private Mapping(Arena arena, ByteBuffer bytes) {
    this.arena = arena;
    this.bytes = bytes;
  }

  /// Maps `bytes` of `channel` from `offset` on; if `mode` writes, a file that is shorter grows.
  ///
  /// @param bytes at most [Integer#MAX_VALUE], since the view is a buffer
  /// @throws IOException if it cannot be mapped, or is too short and not written
  public static Mapping of(FileChannel channel, MapMode mode, long offset, long bytes)
      throws IOException {
    return of(Arena.ofConfined(), channel, mode, offset, bytes);
  }

  /// The same, for any thread; whoever closes it sees to it that no other is at work on it.
  public static Mapping shared(FileChannel channel, MapMode mode, long offset, long bytes)
      throws IOException {
    return of(Arena.ofShared(), channel, mode, offset, bytes);
  }

  private static Mapping of(Arena arena, FileChannel channel, MapMode mode, long offset, long bytes)
      throws IOException {
    try {
      return new Mapping(arena, channel.map(mode, offset, bytes, arena).asByteBuffer());
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /// The mapped bytes, as one view with one position. Using it after [#close] is an exception, not
  /// a crash.
  public ByteBuffer bytes() {
    return bytes;
  }

  /// How many of its pages are in the page cache, whether or not this process has touched them; or
  /// minus the [error number][Errno]. Touches none.
  ///
  /// Of a file that this user neither owns nor may write to, mincore(2) says all pages are.
  public long residentPages() {
    int pageBytes = OwnProcess.pageBytes();
    if (pageBytes < 0) {
      return pageBytes;
    }
    long bytesInAll = bytes.capacity();
    long pages = Math.ceilDiv(bytesInAll, pageBytes);
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment residence = memory.allocate(pages);
      long address = MemorySegment.ofBuffer(bytes.duplicate().clear()).address();
      int result = Instruments.mincore(address, bytesInAll, residence.address());
      return result == 0 ? count(residence) : result;
    }
  }

  @Override
  public void close() {
    arena.close();
  }

  /// The least significant bit of each byte tells of a page; the others are reserved.
  private static long count(MemorySegment residence) {
    long resident = 0;
    for (long i = 0; i < residence.byteSize(); i++) {
      resident += residence.get(ValueLayout.JAVA_BYTE, i) & 1;
    }
    return resident;
  }
}

package dev.zcp.copy;

import dev.zcp.engine.Choice;
import dev.zcp.engine.Observer;
import dev.zcp.engine.TransferException;
import dev.zcp.io.NativeFile;
import dev.zcp.spi.MoveException.End;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Moves files that fit in one buffer: a call reads, a call writes. What `auto` takes for them,
/// since to rank strategies and to make a buffer for each costs more than the bytes do.
final class SmallFiles {

  static final int FILE_BYTES_MAX = 128 << 10;

  /// Up to here the kernel's copy was nowhere seen to be much faster.
  static final int FILE_BYTES_MAX_BESIDE_ONE_CALL = 16 << 10;

  /// One page more than a file has, so that the read that takes its last byte finds its end, too.
  private static final int BUFFER_BYTES = FILE_BYTES_MAX + 4096;

  private final long bytesMax;
  private final ThreadLocal<ByteBuffer> buffers =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));

  private SmallFiles(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// None, where a strategy was asked for by name; none that takes several steps of the size asked
  /// for.
  static SmallFiles with(Choice choice) {
    if (!choice.isAuto()) {
      return new SmallFiles(-1);
    }
    return new SmallFiles(
        choice.chunkBytes() == Choice.ADAPTIVE
            ? FILE_BYTES_MAX
            : Math.min(FILE_BYTES_MAX, choice.chunkBytes()));
  }

  /// @param byOneCall whether the kernel's copy is at hand, which shares extents where it can
  boolean takes(long size, boolean byOneCall) {
    return size <= (byOneCall ? Math.min(bytesMax, FILE_BYTES_MAX_BESIDE_ONE_CALL) : bytesMax);
  }

  /// Moves the bytes of `source` to `target`, both from the first on.
  ///
  /// @param size how many they should be. Where that [says nothing][ChangeWatch#saysNothing], all
  ///   is read, as long as the size stays the same: a file that grows may have no end
  /// @return how many they were; more than `size` where there are more, but not how many more then
  long move(NativeFile source, long size, NativeFile target, Observer observer)
      throws TransferException {
    ByteBuffer buffer = buffers.get();
    long at = 0;
    while (at <= size || ChangeWatch.saysNothing(size) && sizeOf(source, at) == size) {
      int count = DirectStep.move(source, target, buffer.clear(), at, observer);
      if (count < 0) {
        return at;
      }
      at += count;
      if (at == size && count < BUFFER_BYTES) {
        return at;
      }
    }
    return at;
  }

  private static long sizeOf(NativeFile source, long at) throws TransferException {
    try {
      return source.status().sizeBytes();
    } catch (IOException e) {
      throw new TransferException(End.SOURCE, at, e);
    }
  }
}

package dev.zcp.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.Closeable;
import java.nio.ByteBuffer;

/// zstd (RFC 8878), by zstd-jni. Whoever loads this class loads classes of that, too.
///
/// Belongs to one thread. Each piece is a frame of its own, so it knows nothing of those before it.
public final class Zstd implements Closeable {

  private static final int ROOM_BYTES_MIN = 64 << 10;

  private final int level;

  // Null until there is something to do.
  private ZstdCompressCtx packing;
  private ZstdDecompressCtx unpacking;

  /// @param level 1 to [Compression#LEVEL_MAX]; of no meaning to one that only [unpacks][#unpack]
  public Zstd(int level) {
    this.level = level;
  }

  /// A direct buffer with room for so many bytes: `held`, if that is not null and large enough.
  public static ByteBuffer grown(ByteBuffer held, int bytes) {
    int capacity = Integer.highestOneBit(Math.max(bytes - 1, ROOM_BYTES_MIN - 1)) << 1;
    return held == null || held.capacity() < bytes ? ByteBuffer.allocateDirect(capacity) : held;
  }

  /// Room that is enough for [#pack], whatever the bytes are.
  public static int packedBytesMax(int bytes) {
    // ZSTD_COMPRESSBOUND of zstd.h, at most.
    return bytes + (bytes >> 8) + 64;
  }

  /// Makes what remains of `bytes`, which stays, smaller.
  ///
  /// @param bytes direct
  /// @param target direct, with [enough room][#packedBytesMax]; its position goes behind the result
  /// @return how many bytes that has
  public int pack(ByteBuffer bytes, ByteBuffer target) {
    if (packing == null) {
      packing = new ZstdCompressCtx().setLevel(level).setChecksum(false);
    }
    int count =
        packing.compressDirectByteBuffer(
            target,
            target.position(),
            target.remaining(),
            bytes,
            bytes.position(),
            bytes.remaining());
    target.position(target.position() + count);
    return count;
  }

  /// Makes bytes whole again that were [packed][#pack], or that somebody says were.
  ///
  /// @param packed direct; all that remains of it
  /// @param target direct; filled to its limit and never beyond
  /// @return whether they are a piece of just as many bytes as `target` has room for
  public boolean unpack(ByteBuffer packed, ByteBuffer target) {
    if (unpacking == null) {
      unpacking = new ZstdDecompressCtx();
    }
    try {
      int count =
          unpacking.decompressDirectByteBuffer(
              target,
              target.position(),
              target.remaining(),
              packed,
              packed.position(),
              packed.remaining());
      return count == target.remaining();
    } catch (ZstdException e) {
      return false;
    }
  }

  /// Frees its memory, which is outside of the heap, at once.
  @Override
  public void close() {
    if (packing != null) {
      packing.close();
    }
    if (unpacking != null) {
      unpacking.close();
    }
  }
}

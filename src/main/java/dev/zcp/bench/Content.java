package dev.zcp.bench;

import dev.zcp.core.Quietly;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/// What a file must hold, at any offset, without the file being in memory.
public sealed interface Content {

  /// A timed run looks at one byte of each of these.
  int PAGE_BYTES = 4096;

  /// The byte at `offset`, a multiple of [#PAGE_BYTES] within the file. Takes next to no time,
  /// since it is asked for while a clock runs.
  byte atPage(long offset);

  /// Fills all of `target` with what begins at `offset`.
  ///
  /// @throws IOException if that takes reading a file, and it fails
  void put(long offset, ByteBuffer target) throws IOException;

  enum ContentKind {
    RANDOM,
    TEXT,
    /// Random bytes with holes between them, each a MiB.
    HOLES
  }

  /// One block, again and again. The block's length is odd, so no chunk or page that went astray
  /// finds the same bytes elsewhere soon.
  final class Generated implements Content {

    static final int HOLE_BYTES = 1 << 20;

    /// Small enough to stay in a processor's cache, so that giving it costs a run little.
    private static final int BLOCK_BYTES = (1 << 20) + 4099;

    private static final int LINE_WORDS = 12;

    private static final String[] WORDS =
        ("bytes of the file go from one page to another disk and wait there until somebody reads"
                + " them again")
            .split(" ");

    private static final byte[] ZEROS = new byte[64 << 10];

    private final byte[] block;
    private final boolean hasHoles;

    Generated(ContentKind kind, long seed) {
      this.hasHoles = kind == ContentKind.HOLES;
      this.block = kind == ContentKind.TEXT ? text(seed) : new byte[BLOCK_BYTES];
      if (kind != ContentKind.TEXT) {
        new SplittableRandom(seed).nextBytes(block);
      }
    }

    @Override
    public byte atPage(long offset) {
      return isHole(offset) ? 0 : block[(int) (offset % BLOCK_BYTES)];
    }

    @Override
    public void put(long offset, ByteBuffer target) {
      long at = offset;
      while (target.hasRemaining()) {
        int index = (int) (at % BLOCK_BYTES);
        int count = Math.min(target.remaining(), BLOCK_BYTES - index);
        byte[] from = block;
        if (hasHoles) {
          count = (int) Math.min(count, HOLE_BYTES - at % HOLE_BYTES);
          if (isHole(at)) {
            count = Math.min(count, ZEROS.length);
            from = ZEROS;
            index = 0;
          }
        }
        target.put(from, index, count);
        at += count;
      }
    }

    /// Whether the byte at `offset` lies in a hole, where nothing need be written.
    boolean isHole(long offset) {
      return hasHoles && (offset / HOLE_BYTES) % 2 == 1;
    }

    private static byte[] text(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      ByteBuffer text = ByteBuffer.allocate(BLOCK_BYTES);
      for (int words = 1; text.hasRemaining(); words++) {
        String word = WORDS[random.nextInt(WORDS.length)] + (words % LINE_WORDS == 0 ? "\n" : " ");
        byte[] bytes = word.getBytes(StandardCharsets.US_ASCII);
        text.put(bytes, 0, Math.min(bytes.length, text.remaining()));
      }
      return text.array();
    }
  }

  /// What a file of the user's holds: one byte of each page is kept in memory, a 4096th of the
  /// file, and the others are read from it again.
  final class OfFile implements Content, Closeable {

    private static final int BUFFER_BYTES = 1 << 20;

    private final FileChannel channel;
    private final byte[] pages;

    /// Reads the whole file once.
    ///
    /// @param bytes its size
    /// @throws EOFException if it is shorter
    OfFile(Path file, long bytes) throws IOException {
      channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        pages = new byte[Math.toIntExact((bytes + PAGE_BYTES - 1) / PAGE_BYTES)];
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long at = 0; at < bytes; at += BUFFER_BYTES) {
          int count = (int) Math.min(BUFFER_BYTES, bytes - at);
          put(at, ByteBuffer.wrap(buffer, 0, count));
          for (int i = 0; i < count; i += PAGE_BYTES) {
            pages[(int) ((at + i) / PAGE_BYTES)] = buffer[i];
          }
        }
      } catch (IOException | RuntimeException e) {
        close();
        throw e;
      }
    }

    @Override
    public byte atPage(long offset) {
      return pages[(int) (offset / PAGE_BYTES)];
    }

    @Override
    public void put(long offset, ByteBuffer target) throws IOException {
      long begin = offset - target.position();
      while (target.hasRemaining()) {
        if (channel.read(target, begin + target.position()) < 0) {
          throw new EOFException("the file became shorter while it was measured");
        }
      }
    }

    @Override
    public void close() {
      Quietly.close(channel);
    }
  }
}

package dev.zcp.bench.run;

import dev.zcp.bench.ContentKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/// Content that is a function of the offset and a seed: one block, again and again. The block's
/// length is odd, so no chunk or page that went astray finds the same bytes elsewhere soon.
final class MadeContent implements Content {

  /// Small enough to stay in a processor's cache, so that giving it costs a run little.
  static final int BLOCK_BYTES = (1 << 20) + 4099;

  /// Random bytes and holes take turns, each as long as this.
  static final int HOLE_BYTES = 1 << 20;

  private static final int LINE_WORDS = 12;

  private static final String[] WORDS = {
    "bytes",
    "of",
    "the",
    "file",
    "go",
    "from",
    "one",
    "page",
    "to",
    "another",
    "disk",
    "and",
    "wait",
    "there",
    "until",
    "somebody",
    "reads",
    "them",
    "again"
  };

  private static final byte[] ZEROS = new byte[64 << 10];

  private final byte[] block;
  private final boolean hasHoles;

  MadeContent(ContentKind kind, long seed) {
    this.hasHoles = kind == ContentKind.HOLES;
    this.block =
        switch (kind) {
          case RANDOM, HOLES -> random(seed);
          case TEXT -> text(seed);
        };
  }

  @Override
  public byte atPage(long offset) {
    return isHole(offset) ? 0 : block[(int) (offset % BLOCK_BYTES)];
  }

  @Override
  public void fill(long offset, byte[] target, int count) {
    put(offset, ByteBuffer.wrap(target, 0, count));
  }

  /// Fills all of `target` with what begins at `offset`.
  void put(long offset, ByteBuffer target) {
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

  private static byte[] random(long seed) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
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

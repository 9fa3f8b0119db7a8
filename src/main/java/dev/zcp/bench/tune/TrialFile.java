package dev.zcp.bench.tune;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/// The bytes of trials: made, and compared.
final class TrialFile {

  private static final int BUFFER_BYTES = 1 << 20;

  private TrialFile() {}

  /// Makes a file of random bytes, which nothing can compress, and waits until the device has them:
  /// writing them out would else disturb the first trials.
  static void make(Path path, long bytes, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] block = new byte[BUFFER_BYTES];
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; ) {
        random.nextBytes(block);
        ByteBuffer part = ByteBuffer.wrap(block, 0, (int) Math.min(left, block.length));
        left -= part.remaining();
        while (part.hasRemaining()) {
          channel.write(part);
        }
      }
      channel.force(true);
    }
  }

  /// Where the two files differ first, or -1 where they hold the same.
  static long mismatch(Path a, Path b) throws IOException {
    ByteBuffer ofA = ByteBuffer.allocateDirect(BUFFER_BYTES);
    ByteBuffer ofB = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (FileChannel inA = FileChannel.open(a);
        FileChannel inB = FileChannel.open(b)) {
      for (long offset = 0; ; offset += BUFFER_BYTES) {
        fill(inA, ofA);
        fill(inB, ofB);
        int difference = ofA.mismatch(ofB);
        if (difference >= 0) {
          return offset + difference;
        }
        if (ofA.remaining() < BUFFER_BYTES) {
          return -1;
        }
      }
    }
  }

  private static void fill(FileChannel channel, ByteBuffer buffer) throws IOException {
    buffer.clear();
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
      // More of it.
    }
    buffer.flip();
  }
}

package dev.zcp.bench.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Compares a written file with what it should hold, byte for byte, when the clock has stopped.
final class TargetCheck {

  private static final int BUFFER_BYTES = 1 << 20;

  private TargetCheck() {}

  /// What is wrong with `file`, as a phrase; empty where nothing is.
  ///
  /// @param bytes how many there must be
  static String finding(Path file, Content content, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != bytes) {
        return ContentCheck.count(channel.size(), bytes);
      }
      ContentCheck check = new ContentCheck(content, bytes, true);
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
      while (channel.read(buffer.clear()) >= 0) {
        check.take(buffer.flip());
      }
      return check.finding();
    }
  }
}

package dev.zcp.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// Looks at bytes that come in order: are they the right ones, and all of them?
///
/// While a clock runs it counts them and looks at one byte of each page, which takes some 10 µs for
/// a MiB; in a run that nobody times it looks at all. Belongs to one thread at a time.
final class ContentCheck {

  private static final int PART_BYTES = 64 << 10;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long NOWHERE = -1;

  private final Content content;
  private final long bytes;
  private final boolean ofEveryByte;
  private final byte[] expected;
  private final byte[] part;

  private long at;
  private long nextPage;
  private long wrongAt = NOWHERE;

  /// @param bytes how many there must be
  ContentCheck(Content content, long bytes, boolean ofEveryByte) {
    this.content = content;
    this.bytes = bytes;
    this.ofEveryByte = ofEveryByte;
    this.expected = new byte[ofEveryByte ? PART_BYTES : 0];
    this.part = new byte[ofEveryByte ? PART_BYTES : 0];
  }

  /// Compares a written file with what it should hold, byte for byte.
  ///
  /// @return what is wrong, as a phrase; empty if nothing is
  static String ofFile(Path file, Content content, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ContentCheck check = new ContentCheck(content, bytes, true);
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
      while (channel.read(buffer.clear()) >= 0) {
        check.take(buffer.flip());
      }
      return check.finding();
    }
  }

  void take(ByteBuffer next) throws IOException {
    if (ofEveryByte) {
      while (next.hasRemaining()) {
        int count = Math.min(next.remaining(), PART_BYTES);
        next.get(part, 0, count);
        compare(count);
      }
      return;
    }
    long end = at + next.remaining();
    for (; nextPage < end && nextPage < bytes; nextPage += Content.PAGE_BYTES) {
      byte given = next.get(next.position() + (int) (nextPage - at));
      if (given != content.atPage(nextPage) && wrongAt == NOWHERE) {
        wrongAt = nextPage;
      }
    }
    at = end;
    next.position(next.limit());
  }

  long taken() {
    return at;
  }

  /// What is wrong, as a phrase; empty if nothing is. To be asked at the end.
  String finding() {
    if (at != bytes) {
      return "moved " + at + " of " + bytes + " bytes";
    }
    return wrongAt == NOWHERE ? "" : "wrong byte at offset " + wrongAt;
  }

  private void compare(int count) throws IOException {
    int known = Math.clamp(bytes - at, 0, count);
    if (known > 0 && wrongAt == NOWHERE) {
      content.put(at, ByteBuffer.wrap(expected, 0, known));
      int mismatch = Arrays.mismatch(expected, 0, known, part, 0, known);
      wrongAt = mismatch < 0 ? NOWHERE : at + mismatch;
    }
    at += count;
  }
}

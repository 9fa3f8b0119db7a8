package dev.zcp.bench.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Looks at bytes that come in order: are they the right ones, and all of them?
///
/// While a clock runs it counts them and looks at one byte of each page, which takes some 10 µs for
/// a MiB; in a run that nobody times it looks at all. Belongs to one thread at a time.
final class ContentCheck {

  private static final int PART_BYTES = 64 << 10;
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
  /// @param ofEveryByte whether all bytes are looked at
  ContentCheck(Content content, long bytes, boolean ofEveryByte) {
    this.content = content;
    this.bytes = bytes;
    this.ofEveryByte = ofEveryByte;
    this.expected = new byte[ofEveryByte ? PART_BYTES : 0];
    this.part = new byte[ofEveryByte ? PART_BYTES : 0];
  }

  /// Takes what remains of `next`.
  void take(ByteBuffer next) throws IOException {
    if (ofEveryByte) {
      while (next.hasRemaining()) {
        int count = Math.min(next.remaining(), PART_BYTES);
        next.get(part, 0, count);
        compare(part, 0, count);
      }
      return;
    }
    long end = at + next.remaining();
    for (; nextPage < end && nextPage < bytes; nextPage += Content.PAGE_BYTES) {
      look(next.get(next.position() + (int) (nextPage - at)));
    }
    at = end;
    next.position(next.limit());
  }

  /// Takes the first `count` bytes of `next`.
  void take(byte[] next, int count) throws IOException {
    if (ofEveryByte) {
      for (int i = 0; i < count; i += PART_BYTES) {
        compare(next, i, Math.min(count - i, PART_BYTES));
      }
      return;
    }
    long end = at + count;
    for (; nextPage < end && nextPage < bytes; nextPage += Content.PAGE_BYTES) {
      look(next[(int) (nextPage - at)]);
    }
    at = end;
  }

  /// How many bytes came.
  long taken() {
    return at;
  }

  /// What is wrong, as a phrase; empty where nothing is. To be asked at the end.
  String finding() {
    if (at != bytes) {
      return count(at, bytes);
    }
    return wrongAt == NOWHERE ? "" : wrong(wrongAt);
  }

  /// The phrase for a wrong number of bytes.
  static String count(long moved, long bytes) {
    return "moved " + moved + " of " + bytes + " bytes";
  }

  /// The phrase for a wrong byte.
  static String wrong(long offset) {
    return "wrong byte at offset " + offset;
  }

  private void look(byte next) {
    if (next != content.atPage(nextPage) && wrongAt == NOWHERE) {
      wrongAt = nextPage;
    }
  }

  private void compare(byte[] next, int from, int count) throws IOException {
    int known = Math.clamp(bytes - at, 0, count);
    if (known > 0 && wrongAt == NOWHERE) {
      content.fill(at, expected, known);
      int mismatch = Arrays.mismatch(expected, 0, known, next, from, from + known);
      wrongAt = mismatch < 0 ? NOWHERE : at + mismatch;
    }
    at += count;
  }
}

package dev.zcp.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/// The names that zcp keeps for itself: `.zcp-`, 16 hexadecimal digits, and what it is.
public final class HiddenName {

  private static final byte[] PREFIX = ascii(".zcp-");
  private static final byte[] PART = ascii(".part");
  private static final byte[] JOURNAL = ascii(".journal");
  private static final byte[] DIGITS = ascii("0123456789abcdef");
  private static final int DIGIT_BITS = 4;
  private static final int DIGIT_COUNT = Long.SIZE / DIGIT_BITS;

  private HiddenName() {}

  /// Of something that nobody goes on with. Unpredictable enough: O_EXCL takes nothing that
  /// somebody planted. SecureRandom would cost 14 ms of start-up.
  public static byte[] random() {
    return part(ThreadLocalRandom.current().nextLong());
  }

  /// Of a file that has not all its bytes yet.
  public static byte[] part(long digits) {
    return of(digits, PART);
  }

  /// Of what is known of the file with the same digits.
  public static byte[] journal(long digits) {
    return of(digits, JOURNAL);
  }

  /// Whether a name is one that zcp keeps for itself.
  public static boolean isReserved(byte[] name) {
    return name.length >= PREFIX.length
        && Arrays.equals(name, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  private static byte[] of(long digits, byte[] suffix) {
    byte[] name = new byte[PREFIX.length + DIGIT_COUNT + suffix.length];
    System.arraycopy(PREFIX, 0, name, 0, PREFIX.length);
    for (int i = 0; i < DIGIT_COUNT; i++) {
      int shift = Long.SIZE - (i + 1) * DIGIT_BITS;
      name[PREFIX.length + i] = DIGITS[(int) (digits >>> shift) & 0xf];
    }
    System.arraycopy(suffix, 0, name, PREFIX.length + DIGIT_COUNT, suffix.length);
    return name;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

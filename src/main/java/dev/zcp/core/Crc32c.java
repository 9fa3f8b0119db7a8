package dev.zcp.core;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The CRC32C of bytes as they come, that of two runs of bytes from those of each, and that of a
/// run of zeros from its length, without the bytes.
///
/// A CRC is the remainder of a polynomial over GF(2); to put `n` bytes behind a run multiplies its
/// remainder by x^(8n). The representation is reflected: the highest bit is the term of x^0. After
/// Mark Adler's `crc32_combine` in zlib 1.2.12, which does so for another polynomial.
public final class Crc32c {

  /// Of RFC 3720, appendix B.4, reflected.
  private static final int POLYNOMIAL = 0x82f63b78;

  /// x^0.
  private static final int ONE = 1 << 31;

  /// x^(2^n) for each `n` that a length of 2^63-1 bytes needs: they are 8 times as many bits.
  private static final int[] POWERS = powers(63 + 3);

  private final CRC32C running = new CRC32C();

  /// The CRC32C of what remains in `bytes`, which stay as they are.
  public static int of(ByteBuffer bytes) {
    Crc32c sum = new Crc32c();
    sum.update(bytes.duplicate());
    return sum.value();
  }

  /// Counts what remains in `bytes`: nothing does then.
  public void update(ByteBuffer bytes) {
    running.update(bytes);
  }

  /// The CRC32C of all bytes since the start, or the last [#reset].
  public int value() {
    return (int) running.getValue();
  }

  public void reset() {
    running.reset();
  }

  /// The CRC32C of a run with `first`, and behind it one of `secondLength` bytes with `second`.
  public static int combined(int first, int second, long secondLength) {
    return times(power(secondLength), first) ^ second;
  }

  /// The CRC32C of `length` zeros.
  public static int ofZeros(long length) {
    // The register begins with ones all over, and what is left in it is turned over.
    return ~times(power(length), -1);
  }

  /// x^(8 bytes).
  private static int power(long bytes) {
    int product = ONE;
    int n = 3;
    for (long rest = bytes; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        product = times(POWERS[n], product);
      }
      n++;
    }
    return product;
  }

  private static int times(int left, int right) {
    int product = 0;
    int shifted = right;
    // Without branches, which nobody could foretell.
    for (int rest = left; rest != 0; rest <<= 1) {
      product ^= shifted & rest >> 31;
      shifted = shifted >>> 1 ^ POLYNOMIAL & -(shifted & 1);
    }
    return product;
  }

  private static int[] powers(int count) {
    int[] powers = new int[count];
    powers[0] = ONE >>> 1;
    for (int n = 1; n < count; n++) {
      powers[n] = times(powers[n - 1], powers[n - 1]);
    }
    return powers;
  }
}

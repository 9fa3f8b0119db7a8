package dev.zcp.core;

import java.util.Locale;

/// A number of bytes as people write it: `4096`, `64K`, `1M`, `2G`. Suffixes are powers of 1024.
public record ByteSize(long bytes) {

  private static final String SUFFIXES = "KMGTPE";

  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size is not negative: " + bytes);
    }
  }

  /// Reads digits and at most one suffix of `K M G T P E`, in either case; `KiB` and `KB` mean `K`.
  ///
  /// @throws IllegalArgumentException if `text` is anything else, or more than a `long` holds
  public static ByteSize parse(String text) {
    String digits = text.strip();
    int digitCount = 0;
    while (digitCount < digits.length() && isDigit(digits.charAt(digitCount))) {
      digitCount++;
    }
    String suffix = digits.substring(digitCount).toUpperCase(Locale.ROOT);
    long unit = unit(suffix);
    if (digitCount == 0 || unit == 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size; use a number of bytes such as 4096, 64K, 1M or 2G");
    }
    try {
      return new ByteSize(
          Math.multiplyExact(Long.parseLong(digits.substring(0, digitCount)), unit));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is too large", e);
    }
  }

  /// Three significant figures and a binary unit: `0 B`, `1.50 KiB`, `4.00 GiB`.
  @Override
  public String toString() {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int power = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    return figures(bytes, 1L << (10 * power)) + " " + SUFFIXES.charAt(power - 1) + "iB";
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /// The factor that `suffix` stands for, or 0 if it stands for none.
  private static long unit(String suffix) {
    if (suffix.isEmpty() || suffix.equals("B")) {
      return 1;
    }
    int power = SUFFIXES.indexOf(suffix.charAt(0)) + 1;
    String rest = suffix.substring(1);
    boolean known = power > 0 && (rest.isEmpty() || rest.equals("B") || rest.equals("IB"));
    return known ? 1L << (10 * power) : 0;
  }

  /// `value / unit` with three significant figures, rounding half up: `1.23`, `12.3`, `123`, and
  /// `1234` if that is not less than a thousand.
  ///
  /// @param value not negative
  /// @param unit from 1 to 2^60
  static String figures(long value, long unit) {
    double factor = 100;
    for (int decimals = 2; decimals > 0; decimals--) {
      String text = Scale.decimal(Math.round(value * factor / unit) / factor, decimals);
      if (text.length() <= "1.23".length()) {
        return text;
      }
      factor /= 10;
    }
    return Long.toString(Math.round(value / (double) unit));
  }
}
